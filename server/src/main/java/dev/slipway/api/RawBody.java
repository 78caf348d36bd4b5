package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads a body as it is, whatever it is said to be: what is signed are its bytes, and a form must
 * not be taken for one before they are checked.
 */
record RawBody(int maxBytes) implements Handler<RoutingContext> {
  private static final String BODY = "raw body";

  /** The body that came with a request. */
  static byte[] of(RoutingContext context) {
    return Objects.requireNonNull(context.<Buffer>get(BODY), BODY).getBytes();
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (announced(request) > maxBytes) {
      throw tooLarge();
    }
    Buffer body = Buffer.buffer();
    request.handler(piece -> {
      if (context.failed()) {
        return; // what is left of it goes nowhere
      }
      if (body.length() + piece.length() > maxBytes) {
        context.fail(tooLarge());
      } else {
        body.appendBuffer(piece);
      }
    });
    request.endHandler(_ -> {
      if (!context.failed()) {
        context.put(BODY, body);
        context.next();
      }
    });
  }

  private static long announced(HttpServerRequest request) {
    return Optional.ofNullable(request.getHeader(HttpHeaders.CONTENT_LENGTH))
        .filter(length -> length.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElse(0L);
  }

  private RequestException tooLarge() {
    return new RequestException(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "The body is larger than the %d MiB that are taken.".formatted(maxBytes >> 20));
  }
}
