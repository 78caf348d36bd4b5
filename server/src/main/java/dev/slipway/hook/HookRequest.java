package dev.slipway.hook;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A message of a git host as it came. The body is handed over and handed out as it is: a copy for
 * each who asks would hold a large one many times, and neither its giver nor its readers change it.
 */
public final class HookRequest {
  private final Map<String, String> headers;
  private final byte[] body;

  /**
   * @param headers by name, in lower case
   * @param body its very bytes: they are what is signed
   */
  public HookRequest(Map<String, String> headers, byte[] body) {
    this.headers = Map.copyOf(headers);
    this.body = body;
  }

  public Map<String, String> headers() {
    return headers;
  }

  public byte[] body() {
    return body;
  }

  /** A header that is there and not empty. */
  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)))
        .map(String::strip)
        .filter(value -> !value.isEmpty());
  }

  /** The first of these headers that is there. */
  Optional<String> first(String... names) {
    return Arrays.stream(names).flatMap(name -> header(name).stream()).findFirst();
  }

  boolean isForm() {
    return header("Content-Type")
        .map(type -> type.replaceFirst(";.*", "").strip())
        .filter("application/x-www-form-urlencoded"::equalsIgnoreCase)
        .isPresent();
  }
}
