package dev.slipway.api;

import dev.slipway.coding.Coding;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * The body of an answer, compressed as the client likes it, piece by piece. One thread. To be
 * closed on every way out: encoders hold memory that no garbage collection gives back.
 */
final class CodedStream implements AutoCloseable {
  private final ByteArrayOutputStream coded = new ByteArrayOutputStream();
  private final OutputStream encoder;

  CodedStream(Optional<Coding> coding) {
    try {
      this.encoder = coding.isPresent() ? coding.get().encoder(coded, Coding.Effort.QUICK) : coded;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Buffer whole(Coding coding, Buffer body) {
    try (CodedStream stream = new CodedStream(Optional.of(coding))) {
      return stream.next(body).appendBuffer(stream.end());
    }
  }

  static void announce(HttpServerRequest request, Optional<Coding> coding) {
    request.response().headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    coding.ifPresent(
        it -> request.response().putHeader(HttpHeaders.CONTENT_ENCODING, it.wireName()));
  }

  /** All of the piece: the client can decode what it has, whenever the next one comes. */
  Buffer next(Buffer piece) {
    try {
      encoder.write(piece.getBytes());
      encoder.flush();
      return taken();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is left when there is no further piece. */
  Buffer end() {
    try {
      encoder.close();
      return taken();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives back what the encoder holds, and loses what it has not answered yet. */
  @Override
  public void close() {
    try {
      encoder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Buffer taken() {
    Buffer bytes = Buffer.buffer(coded.toByteArray());
    coded.reset();
    return bytes;
  }
}
