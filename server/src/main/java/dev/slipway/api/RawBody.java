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
 *
 * @param budget what is held for all requests together, each until it is answered or gone
 */
record RawBody(int maxBytes, BodyBudget budget) implements Handler<RoutingContext> {
  private static final String BODY = "raw body";

  /** The body that came with a request; to be asked for once, as it is not kept twice. */
  static byte[] of(RoutingContext context) {
    return Objects.requireNonNull(context.<Buffer>remove(BODY), BODY).getBytes();
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (announced(request) > maxBytes) {
      throw tooLarge();
    }
    if (context.response().closed()) {
      return; // nobody waits for it, and no end would be told
    }
    BodyBudget.Share share = budget.share();
    context.put(BODY, Buffer.buffer());
    context.addEndHandler(_ -> {
      context.remove(BODY); // what is left of the request may come for a while
      share.close();
    });
    request.handler(piece -> {
      if (!context.failed()) { // what is left of one that failed goes nowhere
        take(context, share, piece);
      }
    });
    request.endHandler(_ -> {
      if (!context.failed() && context.get(BODY) != null) {
        context.next();
      }
    });
  }

  private void take(RoutingContext context, BodyBudget.Share share, Buffer piece) {
    Buffer body = context.get(BODY);
    if (body == null) {
      return; // it has been answered, or nobody waits for it any more
    }
    if (body.length() + piece.length() > maxBytes) {
      context.fail(tooLarge());
    } else if (!share.take(piece.length())) {
      context.fail(tooMany());
    } else {
      body.appendBuffer(piece);
    }
  }

  /** What a request says of the length of its body; 0 where it does not. */
  static long announced(HttpServerRequest request) {
    return Optional.ofNullable(request.getHeader(HttpHeaders.CONTENT_LENGTH))
        .filter(length -> length.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElse(0L);
  }

  private static RequestException tooMany() {
    return new RequestException(
        ErrorCode.UNAVAILABLE,
        "Too many messages come at this moment; send it again a little later.");
  }

  private RequestException tooLarge() {
    return new RequestException(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "The body is larger than the %d MiB that are taken.".formatted(maxBytes >> 20));
  }
}
