package dev.slipway.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** Headers as a column has them. */
final class HeaderText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private HeaderText() {}

  static String of(Map<String, String> headers) {
    try {
      return JSON.writeValueAsString(headers);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("headers cannot be written as JSON", e);
    }
  }

  static Map<String, String> read(String text) {
    try {
      return JSON.readValue(text, new TypeReference<LinkedHashMap<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("headers in the store are damaged", e);
    }
  }
}
