package dev.slipway.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.core.AppFailure;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeExpressTest {
  private static final Path APPS = Path.of("src/test/apps");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final NodeExpress framework = new NodeExpress(Optional.of("v20.11.1"));

  static List<Path> apps() throws IOException {
    try (Stream<Path> apps = Files.list(APPS)) {
      return apps.filter(app -> app.getFileName().toString().startsWith("node-express-"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("apps")
  void planIsWhatTheFixtureExpects(Path app) throws IOException {
    JsonNode expected = JSON.readTree(app.resolve("expect.json").toFile());
    Checkout checkout = new Checkout(app, new Commit("0".repeat(40), "Fixture"));

    assertThat(framework.detect(checkout)).isTrue();
    if (expected.has("failure")) {
      AppFailure failure =
          catchThrowableOfType(AppFailure.class, () -> framework.plan(checkout, Overrides.NONE));
      assertThat(failure.failure().code()).hasToString(expected.get("failure").asText());
      assertThat(failure).hasMessageContaining(expected.get("sentence").asText());
    } else {
      compare(framework.plan(checkout, Overrides.NONE), expected);
    }
  }

  private static void compare(BuildPlan plan, JsonNode expected) throws IOException {
    Map<String, List<String>> steps = new LinkedHashMap<>();
    plan.install().orElseThrow().steps().forEach(step -> steps.put(step.name(), step.argv()));
    plan.steps().forEach(step -> steps.put(step.name(), step.argv()));
    Serving.Program program = (Serving.Program) plan.serving();
    assertThat(JSON.<JsonNode>valueToTree(steps)).isEqualTo(expected.get("steps"));
    assertThat(List.copyOf(steps.keySet())).isEqualTo(names(expected.get("steps")));
    assertThat(JSON.<JsonNode>valueToTree(program.commands().getLast()))
        .isEqualTo(expected.get("start"));
    assertThat(JSON.<JsonNode>valueToTree(program.env())).isEqualTo(expected.get("startEnv"));
    List<String> warnings =
        plan.findings().stream().filter(Finding::warning).map(Finding::sentence).toList();
    assertThat(warnings).hasSize(expected.get("warnings").size());
    for (int i = 0; i < warnings.size(); i++) {
      assertThat(warnings.get(i)).contains(expected.get("warnings").get(i).asText());
    }
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  @Test
  void aLockfileOutOfStepFallsBackToInstallWithTheSameDependencies() {
    Checkout checkout =
        new Checkout(APPS.resolve("node-express-typescript"), new Commit("0".repeat(40), ""));

    Step install =
        framework.plan(checkout, Overrides.NONE).install().orElseThrow().steps().getFirst();

    assertThat(install.fallback().orElseThrow().argv())
        .containsExactly("npm", "install", "--include=dev");
  }
}
