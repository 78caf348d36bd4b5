package dev.slipway.edge;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends requests whose handling threw. The library would write the exception to the log and leave
 * the client waiting.
 */
final class Faults {
  private static final Logger log = LoggerFactory.getLogger(Faults.class);

  private Faults() {}

  static <T> Handler<T> guarded(HttpServerRequest request, Handler<T> step) {
    return guarded(request, step, () -> {});
  }

  /**
   * @param first is done before the request is answered
   */
  static <T> Handler<T> guarded(HttpServerRequest request, Handler<T> step, Runnable first) {
    return value -> {
      try {
        step.handle(value);
      } catch (Exception e) { // Netty throws checked ones too, past the compiler.
        log.error("a request could not be handled host={}", request.authority(), e);
        first.run();
        answer(request);
      }
    };
  }

  private static void answer(HttpServerRequest request) {
    if (request.response().headWritten()) {
      Channels.closeHard(request); // What the client has is not the whole.
    } else {
      request.response().headers().clear();
      Pages.FAULT.answer(request);
    }
  }
}
