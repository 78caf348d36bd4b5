package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.EnvVars;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The field {@code env_vars} of a request; the contract has checked names and types. */
final class EnvVarsField {
  private static final int MAX_TOTAL_BYTES = 512 << 10;
  private static final int MAX_VALUE_BYTES = 64 << 10;

  private EnvVarsField() {}

  static EnvVars of(Call call) {
    Map<String, String> values = new LinkedHashMap<>();
    fields(call).forEach((name, value) -> values.put(name, value.textValue()));
    return new EnvVars(values);
  }

  /** What the contract cannot say: sizes in bytes. */
  static void check(Call call, Faults faults) {
    long total = 0;
    for (Map.Entry<String, JsonNode> entry : fields(call).entrySet()) {
      int bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MAX_VALUE_BYTES) {
        faults.add(
            "env_vars." + entry.getKey(),
            "has %d bytes; at most 64 KiB are allowed".formatted(bytes));
      }
      total += bytes + entry.getKey().length();
    }
    if (total > MAX_TOTAL_BYTES) {
      faults.add(
          "env_vars", "have %d bytes together; at most 512 KiB are allowed".formatted(total));
    }
  }

  private static Map<String, JsonNode> fields(Call call) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    call.body()
        .orElseThrow()
        .path("env_vars")
        .properties()
        .forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
    return fields;
  }
}
