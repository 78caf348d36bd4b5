package dev.slipway.api;

import dev.slipway.coding.Coding;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** Writes JSON answers: compressed where the client likes that, the head alone for HEAD. */
final class Answers {
  private static final int LEAST_TO_COMPRESS = 1024;

  private Answers() {}

  /** An answer as it goes over the wire. */
  record Encoded(int status, Buffer body, Optional<Coding> coding) {}

  /** Compresses the answer; takes time, so not on an event loop. */
  static Encoded encode(HttpServerRequest request, Rendered answer) {
    Optional<Coding> coding =
        answer.body().length() < LEAST_TO_COMPRESS
            ? Optional.empty()
            : Coding.accepted(request.headers().getAll(HttpHeaders.ACCEPT_ENCODING));
    Buffer body = coding.map(it -> CodedStream.whole(it, answer.body())).orElse(answer.body());
    return new Encoded(answer.status(), body, coding);
  }

  static void write(HttpServerRequest request, Encoded answer) {
    CodedStream.announce(request, answer.coding());
    HttpServerResponse response =
        request
            .response()
            .setStatusCode(answer.status())
            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
            .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(answer.body().length()));
    if (request.method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(answer.body());
    }
  }
}
