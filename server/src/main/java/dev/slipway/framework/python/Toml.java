package dev.slipway.framework.python;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.slipway.source.Checkout;
import java.util.Optional;

/** Files in TOML. */
final class Toml {
  private static final ObjectMapper TOML = TomlMapper.builder().build();

  private Toml() {}

  /** Empty where there is no such file; a file that cannot be read holds nothing. */
  static Optional<JsonNode> in(Checkout checkout, String path) {
    return checkout.text(path).map(Toml::parse);
  }

  private static JsonNode parse(String text) {
    try {
      return TOML.readTree(text.startsWith("\uFEFF") ? text.substring(1) : text);
    } catch (JsonProcessingException e) {
      return JsonNodeFactory.instance.objectNode();
    }
  }
}
