package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.upload.Incoming;
import dev.slipway.upload.Uploads;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Takes a body that is a file to disk as it comes, on a thread of its own; the sender is held up
 * while the disk is busy. What did not become an upload is gone when the answer is.
 */
record FileBody(OffLoop offLoop, Uploads uploads, String mediaType, Duration silence)
    implements Handler<RoutingContext> {
  private static final String INCOMING = "incoming file";
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  /** Slow clients have time, but not for ever. */
  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The file that came with a request. */
  static Incoming of(RoutingContext context) {
    return find(context).orElseThrow();
  }

  static Optional<Incoming> find(RoutingContext context) {
    return Optional.ofNullable(context.<Incoming>get(INCOMING));
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    requireType(request);
    BodyPieces pieces = new BodyPieces(request);
    offLoop.run(
        context,
        () -> receive(context, pieces),
        incoming -> {
          if (context.response().closed()) {
            offLoop.run(incoming::close); // nobody waits for it, and no end would be told
            return;
          }
          context.put(INCOMING, incoming);
          context.addEndHandler(_ -> offLoop.run(incoming::close));
          context.next();
        });
  }

  private void requireType(HttpServerRequest request) {
    String type = Objects.requireNonNullElse(request.getHeader(HttpHeaders.CONTENT_TYPE), "");
    String coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (!type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT).equals(mediaType)) {
      throw new RequestException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body must be the file itself, with Content-Type: %s.".formatted(mediaType));
    }
    if (coding != null && !coding.strip().equalsIgnoreCase("identity")) {
      throw new RequestException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body must be sent as it is, without Content-Encoding.");
    }
  }

  private Incoming receive(RoutingContext context, BodyPieces pieces) throws InterruptedException {
    Incoming incoming =
        uploads.receive(Caller.require(context).account().id(), announced(context.request()));
    boolean whole = false;
    try {
      pieces.begin();
      long end = System.nanoTime() + LONGEST_NANOS;
      boolean more = true;
      while (more) {
        BodyPieces.Piece piece = pieces.next(silence);
        if (System.nanoTime() - end > 0) {
          piece = BodyPieces.Piece.LATE;
        }
        more = piece.kind() == BodyPieces.Kind.BYTES;
        take(context, incoming, piece);
      }
      incoming.finish();
      whole = true;
      return incoming;
    } finally {
      if (!whole) {
        incoming.close();
      }
    }
  }

  private static void take(RoutingContext context, Incoming incoming, BodyPieces.Piece piece) {
    switch (piece.kind()) {
      case BYTES -> incoming.write(ByteBuffer.wrap(piece.bytes().getBytes()));
      case END -> {}
      case BROKEN_OFF ->
          throw new RequestException(
              ErrorCode.INVALID_REQUEST, "The body was broken off; send the request again.");
      case LATE -> {
        BodyTimeLimit.closeAfterAnswer(context);
        throw BodyTimeLimit.late();
      }
    }
  }

  private static OptionalLong announced(HttpServerRequest request) {
    String length = Objects.requireNonNullElse(request.getHeader(HttpHeaders.CONTENT_LENGTH), "");
    return LENGTH.matcher(length).matches()
        ? OptionalLong.of(Long.parseLong(length))
        : OptionalLong.empty();
  }
}
