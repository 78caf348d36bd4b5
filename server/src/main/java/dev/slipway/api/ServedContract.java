package dev.slipway.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A contract as clients get it, as YAML and as JSON: with this server's public address in place of
 * the example's.
 */
final class ServedContract {
  /** Where a contract's servers and examples are. */
  static final String EXAMPLE_ADDRESS = "https://slipway.example.org";

  private final String text;

  /**
   * @param resource on the class path
   */
  ServedContract(String resource, URI publicUrl) {
    String address = publicUrl.toString().replaceFirst("/$", "");
    this.text =
        new String(ClassPath.read(resource), StandardCharsets.UTF_8)
            .replace(EXAMPLE_ADDRESS, address);
  }

  /**
   * @param base of the API, below which they are
   */
  List<StaticDocument> documents(String base) {
    return List.of(
        new StaticDocument(
            base + "/openapi.yaml",
            "application/yaml",
            Map.of(),
            () -> text.getBytes(StandardCharsets.UTF_8)),
        new StaticDocument(base + "/openapi.json", "application/json", Map.of(), this::json));
  }

  private byte[] json() {
    try {
      return new JsonMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValueAsBytes(new YAMLMapper().readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the contract is no YAML", e);
    }
  }
}
