package dev.slipway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was answered.
 *
 * @param headers by name in lower case
 */
record Reply(int status, Map<String, List<String>> headers, String body) {
  JsonNode json() {
    return Api.parse(body);
  }

  Optional<String> header(String name) {
    return headers.getOrDefault(name, List.of()).stream().findFirst();
  }
}
