package dev.slipway.api;

import dev.slipway.core.RequestException;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/** An answer as it is sent: status and JSON. */
record Rendered(int status, Buffer body) {
  private record DataView(Object data) {}

  static Rendered of(Answer.Data answer) {
    return new Rendered(answer.status(), Buffer.buffer(Json.write(new DataView(answer.data()))));
  }

  static Rendered of(Answer.Listed page) {
    return new Rendered(200, Buffer.buffer(Json.write(page)));
  }

  static Rendered of(RequestException failure) {
    return new Rendered(failure.code().httpStatus(), Buffer.buffer(ErrorMapper.body(failure)));
  }

  byte[] toBytes() {
    return Buffer.buffer().appendInt(status).appendBuffer(body).getBytes();
  }

  static Rendered read(ByteBuffer bytes) {
    int status = bytes.getInt();
    byte[] body = new byte[bytes.remaining()];
    bytes.get(body);
    return new Rendered(status, Buffer.buffer(body));
  }
}
