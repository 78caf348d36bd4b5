package dev.slipway.webhook;

import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** An endpoint that keeps what it was sent and answers what it is told to. */
final class Receiver implements AutoCloseable {
  private final List<Message> messages = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private volatile Handler<HttpServerRequest> answer = request -> request.response().end();

  /** What came. */
  record Message(String path, MultiMap headers, String body) {
    String id() {
      return header("webhook-id");
    }

    String header(String name) {
      return Objects.requireNonNull(headers.get(name), name);
    }
  }

  Receiver(Vertx vertx) {
    this(vertx, new HttpServerOptions());
  }

  Receiver(Vertx vertx, HttpServerOptions options) {
    this.server =
        vertx
            .createHttpServer(options)
            .requestHandler(request ->
                request
                    .body()
                    .onSuccess(body -> {
                      messages.add(new Message(request.uri(), request.headers(), body.toString()));
                      answer.handle(request);
                    }))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  /** From now on. */
  void answer(Handler<HttpServerRequest> next) {
    answer = next;
  }

  void answer(int status) {
    answer = request -> request.response().setStatusCode(status).end("so");
  }

  List<Message> messages() {
    return List.copyOf(messages);
  }

  List<String> bodies() {
    return messages.stream().map(Message::body).toList();
  }

  int port() {
    return server.actualPort();
  }

  String url() {
    return "http://localhost:%d/hook?a=b".formatted(port());
  }

  @Override
  public void close() {
    server.close().toCompletionStage().toCompletableFuture().join();
  }
}
