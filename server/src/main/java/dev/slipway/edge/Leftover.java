package dev.slipway.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * The part of a request's body that has not come when its answer is there already: it is read and
 * thrown away, so that the connection can go on. A client that waits for leave to send its body may
 * never send it, or may: that connection is closed.
 */
public record Leftover(HttpServerRequest request, boolean closing) {
  /**
   * @param request one that nobody told to go on
   */
  public static Leftover of(HttpServerRequest request) {
    return new Leftover(
        request,
        request.version() != HttpVersion.HTTP_2 // There the request alone is given up.
            && !request.isEnded()
            && request.headers().contains(HttpHeaders.EXPECT));
  }

  /** Tells the client; before the head of the answer is written. */
  public void announce() {
    if (closing) {
      request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
  }

  /** After the answer has been written. */
  public void discard() {
    if (closing) {
      request.connection().close();
    } else if (!request.isEnded()) {
      request.handler(null);
      request.resume();
    }
  }
}
