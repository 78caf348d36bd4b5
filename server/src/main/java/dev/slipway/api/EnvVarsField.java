package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The field {@code env_vars} of a request; the contract has checked names and types. */
final class EnvVarsField {
  private static final int MAX_TOTAL_BYTES = 512 << 10;
  private static final int MAX_VALUE_BYTES = 64 << 10;

  private EnvVarsField() {}

  /**
   * @throws RequestException {@code INVALID_REQUEST} for more than the API allows
   */
  static EnvVars of(Call call) {
    Map<String, String> values = new LinkedHashMap<>();
    long total = 0;
    for (Map.Entry<String, JsonNode> entry :
        call.body().orElseThrow().path("env_vars").properties()) {
      String value = entry.getValue().textValue();
      int bytes = value.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MAX_VALUE_BYTES) {
        throw new RequestException(
            ErrorCode.INVALID_REQUEST,
            "env_vars.%s: has %d bytes; at most 64 KiB are allowed"
                .formatted(entry.getKey(), bytes));
      }
      total += bytes + entry.getKey().length();
      values.put(entry.getKey(), value);
    }
    if (total > MAX_TOTAL_BYTES) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "env_vars: have %d bytes together; at most 512 KiB are allowed".formatted(total));
    }
    return new EnvVars(values);
  }
}
