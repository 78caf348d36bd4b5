package dev.slipway.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/**
 * What a request knows already of what it asks for, by the tags that it was given (RFC 9110, 13).
 */
final class EntityTags {
  private EntityTags() {}

  /** Whether the client has what this strong tag names. */
  static boolean isKnown(HttpServerRequest request, String tag) {
    return anyOf(request.headers().getAll(HttpHeaders.IF_NONE_MATCH), tag, true);
  }

  /** Whether the client wants what this tag names, or says nothing of it. */
  static boolean isWanted(HttpServerRequest request, String tag) {
    List<String> headers = request.headers().getAll(HttpHeaders.IF_MATCH);
    return headers.isEmpty() || anyOf(headers, tag, false);
  }

  /** Whether a part can be added to what the client has. */
  static boolean isContinued(HttpServerRequest request, String tag) {
    // A date never is: we send none.
    return Optional.ofNullable(request.getHeader("If-Range"))
        .map(known -> known.strip().equals(tag))
        .orElse(true);
  }

  private static boolean anyOf(List<String> headers, String tag, boolean weakly) {
    for (String each : String.join(",", headers).split(",", -1)) {
      String known = each.strip();
      if (known.equals("*") || known.equals(tag) || (weakly && known.equals("W/" + tag))) {
        return true;
      }
    }
    return false;
  }
}
