package dev.slipway.api;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code Idempotency-Key}: a quoted string of structured fields, as the IETF's draft
 * asks for, or the plain token that most clients send. Both ways to write a key are the same key.
 */
record IdempotencyKey(String value) {
  static final String HEADER = "Idempotency-Key";
  private static final int MAX_LENGTH = 255;
  // RFC 9651, 3.3.3.
  private static final Pattern QUOTED = Pattern.compile("\"((?:[ !#-\\[\\]-~]|\\\\[\"\\\\])+)\"");
  private static final Pattern PLAIN = Pattern.compile("[!#-~][!-~]*");

  /** Absent where there is none, or none that is well-formed. */
  static Optional<IdempotencyKey> of(HttpServerRequest request) {
    List<String> given = request.headers().getAll(HEADER);
    return given.size() == 1 ? parse(given.getFirst().strip()) : Optional.empty();
  }

  /** What is wrong with the header, if it is given. */
  static void check(HttpServerRequest request, Faults faults) {
    if (request.headers().contains(HEADER) && of(request).isEmpty()) {
      faults.add(
          HEADER, "must be one key of 1 to 255 visible ASCII characters, quoted or as it is");
    }
  }

  private static Optional<IdempotencyKey> parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    Matcher quoted = QUOTED.matcher(text);
    Optional<String> key =
        quoted.matches()
            ? Optional.of(quoted.group(1).replaceAll("\\\\(.)", "$1"))
            : Optional.of(text).filter(it -> PLAIN.matcher(it).matches());
    return key.map(IdempotencyKey::new);
  }
}
