package dev.slipway.core;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Environment variables of an application. The values are secrets: {@link #toString} hides them.
 */
public record EnvVars(Map<String, String> values) {
  public static final EnvVars NONE = new EnvVars(Map.of());

  /** What a variable may be called. API decisions, "Conventions", env vars. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  public EnvVars {
    values = Map.copyOf(values);
  }

  /** These variables with {@code overrides} set on top. */
  public EnvVars with(EnvVars overrides) {
    Map<String, String> merged = new LinkedHashMap<>(values);
    merged.putAll(overrides.values);
    return new EnvVars(merged);
  }

  @Override
  public String toString() {
    return values.size() + " variables";
  }
}
