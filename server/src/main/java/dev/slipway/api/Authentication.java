package dev.slipway.api;

import dev.slipway.account.Account;
import dev.slipway.account.Accounts;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bearer keys: {@code Authorization: Bearer <key>}. */
final class Authentication {
  private static final Pattern BEARER = Pattern.compile("(?i)bearer +(\\S+) *");

  private final Accounts accounts;

  Authentication(Accounts accounts) {
    this.accounts = accounts;
  }

  /**
   * The account of the request's key; blocks.
   *
   * @throws RequestException {@code UNAUTHORIZED}
   */
  Account account(HttpServerRequest request) {
    String header = request.getHeader("Authorization");
    if (header == null) {
      throw unauthorized("An API key is missing: send it as Authorization: Bearer <key>.");
    }
    Matcher bearer = BEARER.matcher(header);
    if (!bearer.matches()) {
      throw unauthorized("The Authorization header must be: Bearer <key>.");
    }
    return accounts
        .authenticate(new Secret(bearer.group(1)))
        .orElseThrow(() -> unauthorized("The API key is unknown or revoked."));
  }

  private static RequestException unauthorized(String message) {
    return new RequestException(ErrorCode.UNAUTHORIZED, message);
  }
}
