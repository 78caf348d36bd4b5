package dev.slipway.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documented sample {@code docs/server.yaml} and the code tell the same. */
class ConfigSampleTest {
  private static final Path SAMPLE = Path.of("..", "docs", "server.yaml");

  @TempDir private Path folder;

  @Test
  void theSampleAsItStandsIsAllDefaults() {
    assertThat(ServerConfig.load(Optional.of(SAMPLE), Map.of()))
        .isEqualTo(ServerConfig.load(Optional.empty(), Map.of()));
  }

  @Test
  void everyKeyOfTheCodeStandsInTheSample() throws IOException {
    Path complete = Files.writeString(folder.resolve("server.yaml"), withExamplesOn());
    Settings settings = Settings.of(Optional.of(complete), Map.of());
    ServerConfig.read(settings.root());
    settings.end();

    Set<String> documented = new TreeSet<>();
    collectKeys("", new YAMLMapper().readTree(withExamplesOn()), documented);
    assertThat(documented).isEqualTo(new TreeSet<>(settings.knownKeys()));
  }

  /** An example is a line with "#" directly before the key or its indentation of two or more. */
  private static String withExamplesOn() throws IOException {
    return Files.readString(SAMPLE).replaceAll("(?m)^#((?: {2,})?[a-z_]+:)", "$1");
  }

  private static void collectKeys(String prefix, JsonNode node, Set<String> keys) {
    if (node.isArray()) {
      node.forEach(element -> collectKeys(prefix + "[]", element, keys));
    }
    node.propertyStream()
        .forEach(property -> {
          String key = prefix.isEmpty() ? property.getKey() : prefix + "." + property.getKey();
          keys.add(key);
          collectKeys(key, property.getValue(), keys);
        });
  }
}
