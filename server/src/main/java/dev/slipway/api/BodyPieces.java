package dev.slipway.api;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A request's body piece by piece, for a thread that may block. Made on the event loop, before any
 * of it has come; few pieces wait here, for more the sender has to.
 */
final class BodyPieces {
  private static final int MOST_WAITING = 16;

  private final HttpServerRequest request;
  private final Context loop = Objects.requireNonNull(Vertx.currentContext());
  private final BlockingQueue<Piece> waiting = new LinkedBlockingQueue<>();

  BodyPieces(HttpServerRequest request) {
    this.request = request;
    request.handler(bytes -> waiting.add(new Piece(Kind.BYTES, bytes)));
    request.endHandler(_ -> waiting.add(Piece.END));
    request.exceptionHandler(_ -> waiting.add(Piece.BROKEN_OFF));
  }

  enum Kind {
    BYTES,
    END,
    BROKEN_OFF,
    LATE
  }

  /**
   * @param bytes empty but for {@link Kind#BYTES}
   */
  record Piece(Kind kind, Buffer bytes) {
    static final Piece END = new Piece(Kind.END, Buffer.buffer());
    static final Piece BROKEN_OFF = new Piece(Kind.BROKEN_OFF, Buffer.buffer());
    static final Piece LATE = new Piece(Kind.LATE, Buffer.buffer());
  }

  /** Tells a client that waits for it to send the body; from now on few pieces come at a time. */
  void begin() {
    loop.runOnContext(_ -> {
      if (request.headers().contains(HttpHeaders.EXPECT)) {
        request.response().writeContinue();
      }
      // Before, what had come already was let through.
      request.pause();
      request.fetch(MOST_WAITING);
    });
  }

  /** The next piece, {@link Kind#LATE} where none comes for so long. */
  Piece next(Duration silence) throws InterruptedException {
    Optional<Piece> piece =
        Optional.ofNullable(waiting.poll(silence.toMillis(), TimeUnit.MILLISECONDS));
    loop.runOnContext(_ -> request.fetch(1));
    return piece.orElse(Piece.LATE);
  }
}
