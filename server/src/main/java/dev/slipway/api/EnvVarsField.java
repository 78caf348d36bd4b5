package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.EnvVars;
import java.util.LinkedHashMap;
import java.util.Map;

/** The field {@code env_vars} of a request; the contract has checked names and types. */
final class EnvVarsField {
  private EnvVarsField() {}

  static EnvVars of(Call call) {
    return merged(call, EnvVars.NONE);
  }

  /** What becomes of earlier variables: the field's are set on top, null removes. */
  static EnvVars merged(Call call, EnvVars earlier) {
    Map<String, String> values = new LinkedHashMap<>(earlier.values());
    for (Map.Entry<String, JsonNode> entry :
        call.body().orElseThrow().path("env_vars").properties()) {
      if (entry.getValue().isTextual()) {
        values.put(entry.getKey(), entry.getValue().textValue());
      } else {
        values.remove(entry.getKey());
      }
    }
    return new EnvVars(values);
  }

  /** What the contract cannot say: sizes in bytes. */
  static void check(Call call, Faults faults) {
    of(call).excesses().forEach(faults::add);
  }
}
