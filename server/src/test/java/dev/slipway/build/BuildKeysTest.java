package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.EnvVars;
import dev.slipway.tool.OperatorSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildKeysTest {
  @TempDir private Path directory;

  @Test
  void aBuildThatMayHaveReadADatabasesPasswordIsNotUsedAgainWithAnother() {
    BuildKeys first = keys("dbp_a.1", "p4ssword");
    BuildKeys rotated = keys("dbp_a.2", "an0ther-one");

    assertThat(rotated.ofEveryBuild()).isNotEqualTo(first.ofEveryBuild());
    assertThat(rotated.ofInstalls()).isEqualTo(first.ofInstalls());
    assertThat(keys("dbp_a.1", "an0ther-one")).as("values are in no key").isEqualTo(first);
  }

  private BuildKeys keys(String version, String password) {
    BuildPlace place =
        BuildPlace.below(directory, new EnvVars(Map.of("URL", "db://${{PGPASSWORD}}@here")));
    BuildRequest plain = place.request(place.host(), new SeenSteps());
    ManagedVariables managed =
        new ManagedVariables(new EnvVars(Map.of("PGPASSWORD", password)), version, List.of());
    BuildRequest request =
        new BuildRequest(
            plain.id(),
            plain.owner(),
            plain.project(),
            plain.source(),
            plain.overrides(),
            plain.env(),
            managed,
            plain.releaseId(),
            plain.kept(),
            plain.observer());
    assertThat(request.variables().values().get("URL")).contains(password);
    return BuildKeys.of(request, "0a1b2c", OperatorSettings.NONE);
  }
}
