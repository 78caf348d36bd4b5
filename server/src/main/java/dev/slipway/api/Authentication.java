package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bearer keys: {@code Authorization: Bearer <key>}. */
final class Authentication {
  private static final String HEADER = "Authorization";
  private static final Pattern BEARER = Pattern.compile("(?i)bearer +(\\S+) *");

  private Authentication() {}

  /** The request's key; absent where there is none, or none in this form. */
  static Optional<Secret> key(HttpServerRequest request) {
    List<String> headers = request.headers().getAll(HEADER);
    if (headers.size() != 1) {
      return Optional.empty();
    }
    Matcher bearer = BEARER.matcher(headers.getFirst());
    return bearer.matches() ? Optional.of(new Secret(bearer.group(1))) : Optional.empty();
  }

  /** Says what is wrong with the key of a request that no account was found for. */
  static RequestException refusal(HttpServerRequest request) {
    return new RequestException(
        ErrorCode.UNAUTHORIZED,
        request.getHeader(HEADER) == null
            ? "An API key is missing: send it as Authorization: Bearer <key>."
            : key(request).isEmpty()
                ? "The Authorization header must be: Bearer <key>."
                : "The API key is unknown or revoked.");
  }
}
