package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/** Refuses a request whose body does not come in time; stands before the one who reads it. */
public record BodyTimeLimit(Vertx vertx, Duration limit) implements Handler<RoutingContext> {
  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    long timer = vertx.setTimer(limit.toMillis(), _ -> refuse(context));
    request.end().onComplete(_ -> vertx.cancelTimer(timer));
    context.next();
  }

  private void refuse(RoutingContext context) {
    if (context.request().isEnded() || context.response().ended()) {
      return;
    }
    closeAfterAnswer(context);
    context.fail(late());
  }

  static RequestException late() {
    return new RequestException(
        ErrorCode.INVALID_REQUEST, "The body did not come in time; send the request again.");
  }

  /** What comes too late must not be read for ever. */
  static void closeAfterAnswer(RoutingContext context) {
    if (context.request().version() == HttpVersion.HTTP_2) {
      context.addEndHandler(_ -> context.response().reset(0));
      return;
    }
    context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    context.addEndHandler(_ -> context.request().connection().close());
  }
}
