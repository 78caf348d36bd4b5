package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Cidr;
import dev.slipway.site.Sites;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The edge and the control plane are two processes, as far as they can tell. */
class ControlPlaneTest {
  private static final EdgeOptions OPTIONS =
      new EdgeOptions("127.0.0.1", 0, "localhost", "localhost");
  private static final Sites NO_SITES =
      new Sites(site -> {
        throw new IllegalStateException("no site");
      });

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
  private EdgeFolder folder = new EdgeFolder(Path.of("none"));
  private EdgeServer edge = server(OPTIONS, new ControlPlane.Here(_ -> {}));

  @BeforeEach
  void start() throws Exception {
    folder = EdgeFolder.below(directory);
    edge =
        server(
            OPTIONS.withTrustedProxies(List.of(Cidr.parse("127.0.0.2"))),
            new ControlPlane.Apart(folder.controlSocket()));
    edge.start();
  }

  @AfterEach
  void close() {
    edge.close();
    TestEdge.get(vertx.close().toCompletionStage().toCompletableFuture());
  }

  @Test
  void itAnswersThroughTheEdgeAndKnowsWhoseRequestItIs() throws Exception {
    control(request ->
        request.response().end(request.uri() + " " + new ClientAddress(List.of()).of(request)));

    String request =
        "GET /v1/x?y HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n";
    assertThat(ask(request).body()).isEqualTo("/v1/x?y 127.0.0.1");
    assertThat(ask("GET / HTTP/1.0\r\n\r\n").body()).isEqualTo("/ 127.0.0.1");
  }

  @Test
  void aLargeBodyPassesThrough() throws Exception {
    control(
        request -> request.body().onSuccess(body -> request.response().end("" + body.length())));

    int length = 3 << 20;
    assertThat(
            ask("PUT /v1/uploads/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                    + length
                    + "\r\n\r\n"
                    + "x".repeat(length))
                .body())
        .isEqualTo("" + length);
  }

  @Test
  void whileItIsDownTheEdgeSaysSoAndFindsItAgain() throws Exception {
    RawClient.Answer down =
        ask("POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    assertThat(down.status()).isEqualTo(503);
    assertThat(down.header("content-type")).isEqualTo("application/json");
    assertThat(down.body())
        .startsWith("{\"error\":{\"code\":\"unavailable\",\"message\":\"The API");
    RawClient.Answer page = ask("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n");
    assertThat(page.header("content-type")).startsWith("text/html");

    Files.createFile(folder.controlSocket()); // what a killed one leaves
    control(request -> request.response().end("up"));

    assertThat(ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body()).isEqualTo("up");
  }

  private void control(Handler<HttpServerRequest> handler) throws Exception {
    server(OPTIONS.withControlSocket(folder.freeControlSocket()), new ControlPlane.Here(handler))
        .start();
  }

  private EdgeServer server(EdgeOptions options, ControlPlane control) {
    return new EdgeServer(
        vertx,
        options,
        _ -> CompletableFuture.failedFuture(new IllegalStateException("nothing to wake")),
        NO_SITES,
        control,
        EdgeRecords.none());
  }

  private RawClient.Answer ask(String request) {
    try (RawClient client = new RawClient(edge.port())) {
      return client.send(request).answer();
    }
  }
}
