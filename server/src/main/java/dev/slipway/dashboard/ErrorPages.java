package dev.slipway.dashboard;

import dev.slipway.api.ErrorMapper;
import dev.slipway.api.OffLoop;
import dev.slipway.api.RequestId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.edge.Leftover;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** What a request to a page is answered where it fails: a page too. Asks the store for nothing. */
final class ErrorPages {
  private static final String FAILED_BEFORE = "failed-before";

  private final OffLoop offLoop;
  private final Framing framing;

  ErrorPages(OffLoop offLoop, Framing framing) {
    this.offLoop = offLoop;
    this.framing = framing;
  }

  void fail(RoutingContext context) {
    if (context.response().ended() || context.response().closed()) {
      return;
    }
    if (context.response().headWritten()) {
      context.request().connection().close(); // half a page must not look like a whole one
      return;
    }
    RequestException failure = failure(context);
    if (context.get(FAILED_BEFORE) != null) {
      plain(context, failure);
      return;
    }
    context.put(FAILED_BEFORE, true);
    Leftover leftover = Leftover.of(context.request());
    leftover.announce();
    context.addEndHandler(_ -> leftover.discard());
    Answering.protect(context.response());
    offLoop.run(
        context,
        () -> {
          ErrorPage page = ErrorPage.of(failure);
          return framing.prepare(
              context,
              new Reply.Page(
                  failure.code().httpStatus(), "error.jte", page.heading(), Section.NONE, page));
        },
        Answering.Ready::write);
  }

  /** Where the page about the failure fails as well. */
  private static void plain(RoutingContext context, RequestException failure) {
    context
        .response()
        .setStatusCode(failure.code().httpStatus())
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(String.valueOf(failure.getMessage()));
  }

  private static RequestException failure(RoutingContext context) {
    if (context.statusCode() == 413) {
      return new RequestException(
          ErrorCode.PAYLOAD_TOO_LARGE, "The form is larger than any that is needed.");
    }
    if (context.failure() == null || context.statusCode() == 400) {
      return new RequestException(
          ErrorCode.INVALID_REQUEST, "The address or the form is malformed.");
    }
    return ErrorMapper.map(context.failure(), RequestId.of(context));
  }
}
