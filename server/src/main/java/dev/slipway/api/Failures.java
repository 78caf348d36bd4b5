package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.edge.Leftover;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/** What a failed request is answered with. */
final class Failures {
  private static final String RETRY_AFTER_SECONDS = "5";

  private final Function<RequestException, byte[]> body;

  /**
   * @param body the failure as JSON, in the shape of this API
   */
  Failures(Function<RequestException, byte[]> body) {
    this.body = body;
  }

  /** Answers all failures of the router, those of its own included. To be called last. */
  void answer(Router router) {
    router.route().failureHandler(this::fail);
    router.errorHandler(400, this::fail);
  }

  /** Answers one failure. */
  void fail(RoutingContext context) {
    HttpServerResponse response = context.response();
    RequestException failure = failure(context);
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      // Half an answer must not look like a whole one.
      context.request().connection().close();
      return;
    }
    Leftover leftover = Leftover.of(context.request());
    leftover.announce();
    if (failure.code() == ErrorCode.UNAUTHORIZED) {
      response.putHeader("WWW-Authenticate", "Bearer");
    } else if ((failure.code() == ErrorCode.UNAVAILABLE || failure.code() == ErrorCode.RATE_LIMITED)
        && !response.headers().contains(HttpHeaders.RETRY_AFTER)) {
      response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    Buffer json = Buffer.buffer(body.apply(failure));
    response
        .setStatusCode(failure.code().httpStatus())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(json.length()));
    boolean headAlone = context.request().method().equals(HttpMethod.HEAD);
    (headAlone ? response.end() : response.end(json)).onComplete(written -> leftover.discard());
  }

  private static RequestException failure(RoutingContext context) {
    if (context.statusCode() == 413) {
      return new RequestException(
          ErrorCode.PAYLOAD_TOO_LARGE, "The body is larger than limits.json_bytes allows.");
    }
    if (context.failure() == null || context.statusCode() == 400) {
      return new RequestException(
          ErrorCode.INVALID_REQUEST, "The request's path or query is malformed.");
    }
    return ErrorMapper.map(context.failure(), RequestId.of(context));
  }
}
