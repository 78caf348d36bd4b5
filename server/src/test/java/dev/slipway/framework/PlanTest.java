package dev.slipway.framework;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.AppFailure;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every directory in {@code resources/apps} is a repository, and its {@code expect.json} the plan
 * for it. With {@code -Dplans.write=true} the files are written anew, to be looked through before
 * they are committed; {@code overrides} in them stays.
 */
class PlanTest {
  private static final Path APPS = Path.of("src/test/resources/apps");
  private static final String EXPECTED = "expect.json";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  static List<Path> apps() throws IOException {
    try (Stream<Path> apps = Files.list(APPS)) {
      return apps.sorted().toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("apps")
  void planIsWhatTheFixtureExpects(Path app) throws IOException {
    Path file = app.resolve(EXPECTED);
    JsonNode expected = Files.exists(file) ? JSON.readTree(file.toFile()) : JSON.createObjectNode();
    ObjectNode actual = plan(app, overrides(expected.path("overrides")));
    if (expected.has("overrides")) {
      actual.set("overrides", expected.get("overrides"));
    }
    if (Boolean.getBoolean("plans.write")) {
      Files.writeString(file, JSON.writeValueAsString(actual) + "\n");
    }
    assertThat(actual.toPrettyString()).isEqualTo(ordered(expected, actual).toPrettyString());
  }

  private static ObjectNode plan(Path app, Overrides overrides) {
    try {
      return PlanText.of(
          new Frameworks()
              .plan(new Checkout(app, new Commit("0".repeat(40), "Fixture")), overrides, Set.of()));
    } catch (AppFailure e) {
      return PlanText.of(e.failure());
    }
  }

  private static Overrides overrides(JsonNode json) {
    return new Overrides(
        text(json, "framework"),
        text(json, "root_directory"),
        text(json, "install_command"),
        text(json, "build_command"),
        text(json, "start_command"),
        text(json, "output_directory"),
        text(json, "health_check_path"));
  }

  private static Optional<String> text(JsonNode json, String name) {
    return Optional.ofNullable(json.get(name)).map(JsonNode::asText);
  }

  /** The same values in the order of the other, so that a difference is easy to see. */
  private static JsonNode ordered(JsonNode expected, ObjectNode actual) {
    return expected.equals(actual) ? actual : expected;
  }
}
