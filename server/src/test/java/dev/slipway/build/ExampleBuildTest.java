package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.git.GitRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Builds from the registry with the real programs, as plans alone show little. */
class ExampleBuildTest {
  private static final Path EXAMPLES = Path.of("../examples");

  // Not below the home of a user: builds run as others.
  private final Path directory = Path.of("/tmp", "slipway-example-" + UUID.randomUUID());

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void aSiteOfViteHoldsTheValuesOfItsVariables() throws Exception {
    Path repositories = Files.createDirectories(directory.resolve("repositories"));
    GitRepository site =
        GitRepository.create(repositories.resolve("acme/shop.git"), directory.resolve("work"));
    for (String file :
        List.of(
            "package.json", "package-lock.json", "index.html", "vite.config.js", "src/main.jsx")) {
      site.write(file, Files.readString(EXAMPLES.resolve("react-vite").resolve(file)));
    }
    site.commit("main", "A site");
    BuildPlace place =
        new BuildPlace(
            directory.resolve("data"),
            repositories.toUri(),
            DeploymentId.next(),
            ReleaseId.of(DeploymentId.next()),
            new EnvVars(Map.of("VITE_NAME", "Grace of the harbour")));

    BuiltRelease built =
        place
            .pipeline(BuildPlace.LIMITS, BuildPlace.TIMEOUT)
            .run(place.request(place.host(), new SeenSteps()), place.log(new KeptLog()));

    assertThat(built.serving()).isEqualTo(new Serving.Site("", Optional.of("index.html"), true));
    assertThat(place.released("index.html").orElseThrow()).content().contains("/assets/index-");
    assertThat(scripts(place.released("assets").orElseThrow()))
        .anyMatch(text -> text.contains("Grace of the harbour"));
  }

  private static List<String> scripts(Path assets) throws IOException {
    try (Stream<Path> files = Files.list(assets)) {
      return files.map(ExampleBuildTest::text).toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
