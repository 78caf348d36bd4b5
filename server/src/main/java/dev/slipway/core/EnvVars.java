package dev.slipway.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Environment variables of an application. The values are secrets: {@link #toString} hides them.
 */
public record EnvVars(Map<String, String> values) {
  public static final EnvVars NONE = new EnvVars(Map.of());

  /** What a variable may be called. API decisions, "Conventions", env vars. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\{\\{ *(%s) *}}".formatted(NAME.pattern()));

  private static final int MAX_COUNT = 1_000;
  private static final int MAX_VALUE_BYTES = 64 << 10;
  private static final int MAX_TOTAL_BYTES = 512 << 10;

  public EnvVars {
    values = Map.copyOf(values);
  }

  /** These variables with {@code overrides} set on top. */
  public EnvVars with(EnvVars overrides) {
    Map<String, String> merged = new LinkedHashMap<>(values);
    merged.putAll(overrides.values);
    return new EnvVars(merged);
  }

  /**
   * These variables on top of {@code managed}; in their values each {@code ${{NAME}}} of a managed
   * variable is replaced by its value. What names none stays as it is.
   */
  public EnvVars over(EnvVars managed) {
    Map<String, String> resolved = new LinkedHashMap<>(managed.values);
    values.forEach((name, value) -> resolved.put(name, managed.resolve(value)));
    return new EnvVars(resolved);
  }

  private String resolve(String text) {
    return REFERENCE
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
  }

  /** What of these is more than a user may have, in bytes: what is wrong, by place. */
  public Map<String, String> excesses() {
    Map<String, String> excesses = new LinkedHashMap<>();
    long total = 0;
    for (Map.Entry<String, String> entry : new TreeMap<>(values).entrySet()) {
      int bytes = entry.getValue().getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MAX_VALUE_BYTES) {
        excesses.put(
            "env_vars." + entry.getKey(),
            "has %d bytes; at most 64 KiB are allowed".formatted(bytes));
      }
      total += bytes + entry.getKey().length();
    }
    if (total > MAX_TOTAL_BYTES) {
      excesses.put(
          "env_vars", "have %d bytes together; at most 512 KiB are allowed".formatted(total));
    }
    return excesses;
  }

  /**
   * These, where a user may have so many and so much.
   *
   * @throws RequestException {@code INVALID_REQUEST} with every fault
   */
  public EnvVars requireAllowed() {
    List<String> faults = new ArrayList<>();
    excesses().forEach((place, what) -> faults.add(place + ": " + what));
    if (values.size() > MAX_COUNT) {
      faults.add("env_vars: are %d together; at most 1,000 are allowed".formatted(values.size()));
    }
    if (!faults.isEmpty()) {
      throw new RequestException(ErrorCode.INVALID_REQUEST, String.join("; ", faults));
    }
    return this;
  }

  @Override
  public String toString() {
    return values.size() + " variables";
  }
}
