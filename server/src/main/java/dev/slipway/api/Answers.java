package dev.slipway.api;

import dev.slipway.coding.Coding;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** Writes whole answers: compressed where the client likes that, the head alone for HEAD. */
public final class Answers {
  private static final int LEAST_TO_COMPRESS = 1024;

  private Answers() {}

  static final String JSON = "application/json";

  /**
   * An answer as it goes over the wire.
   *
   * @param type with which it is told what the body is
   */
  public record Encoded(int status, String type, Buffer body, Optional<Coding> coding) {}

  /** Compresses the answer; takes time, so not on an event loop. */
  public static Encoded encode(HttpServerRequest request, int status, String type, Buffer plain) {
    Optional<Coding> coding =
        plain.length() < LEAST_TO_COMPRESS
            ? Optional.empty()
            : Coding.accepted(request.headers().getAll(HttpHeaders.ACCEPT_ENCODING));
    Buffer body = coding.map(it -> CodedStream.whole(it, plain)).orElse(plain);
    return new Encoded(status, type, body, coding);
  }

  public static void write(HttpServerRequest request, Encoded answer) {
    CodedStream.announce(request, answer.coding());
    HttpServerResponse response =
        request
            .response()
            .setStatusCode(answer.status())
            .putHeader(HttpHeaders.CONTENT_TYPE, answer.type())
            .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(answer.body().length()));
    if (request.method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(answer.body());
    }
  }
}
