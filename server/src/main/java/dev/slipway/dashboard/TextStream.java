package dev.slipway.dashboard;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.ExecutionException;

/** Sends a text that is too long to be held: each piece once the browser has taken the last. */
final class TextStream {
  private TextStream() {}

  /** Blocks until all of it is on its way, or the browser has gone. */
  static Answering.Ready send(HttpServerRequest request, Reply.Text text) {
    HttpServerResponse response =
        request
            .response()
            .setChunked(true)
            .putHeader("Content-Type", "text/plain; charset=utf-8")
            .putHeader(
                "Content-Disposition", "attachment; filename=\"%s\"".formatted(text.fileName()));
    boolean there = true;
    while (there && !request.method().equals(HttpMethod.HEAD) && text.pieces().hasNext()) {
      there = write(response, text.pieces().next());
    }
    return () -> {
      if (!response.closed()) {
        response.end();
      }
    };
  }

  private static boolean write(HttpServerResponse response, String piece) {
    try {
      response.write(piece).toCompletionStage().toCompletableFuture().get();
      return true;
    } catch (ExecutionException gone) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the server ends while a text is sent", e);
    }
  }
}
