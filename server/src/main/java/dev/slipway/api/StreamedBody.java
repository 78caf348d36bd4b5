package dev.slipway.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.ExecutionException;

/** An answer that is written as it comes, no faster than it is read. */
final class StreamedBody {
  private StreamedBody() {}

  /** The client closed the connection. */
  static final class ReaderGone extends Exception {
    ReaderGone() {
      super("the client closed the connection", null, false, false);
    }
  }

  /**
   * @param type of the content; which one is answered depends on the request
   */
  static HttpServerResponse begin(Call call, String type) {
    HttpServerResponse response = call.context().response();
    response.setChunked(true).putHeader("Content-Type", type).headers().add("Vary", "Accept");
    return response;
  }

  /** Returns when the bytes are on their way, so that a slow reader slows us down. */
  static void write(HttpServerResponse response, Buffer bytes)
      throws InterruptedException, ReaderGone {
    try {
      response.write(bytes).toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException readerIsGone) {
      throw new ReaderGone();
    }
  }
}
