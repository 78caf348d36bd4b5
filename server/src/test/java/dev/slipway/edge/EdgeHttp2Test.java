package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeHttp2Test {
  private static final String WWW = "www.example.org";
  private final TestAuthority authority = new TestAuthority();
  private final TestEdge edge = edge(UnaryOperator.identity());
  private final HttpClientAgent client =
      edge.vertx.createHttpClient(
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setSsl(true)
              .setUseAlpn(true)
              .setTrustOptions(authority.trustOptions()));

  @BeforeEach
  void secure() {
    edge.edge.secure(
        new TlsTable(
            Map.of(WWW, authority.issue(WWW)),
            Optional.of(authority.issue("localhost")),
            Map.of()));
  }

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void anAppIsAskedAsByHttp1() {
    edge.route(
        WWW,
        edge.upstream(request ->
            request
                .response()
                .putHeader("X-Answer", "yes")
                .putHeader("Connection", "X-Hop")
                .putHeader("X-Hop", "1")
                .end(
                    String.join(
                        " ",
                        request.version().alpnName(),
                        request.method().name(),
                        request.uri(),
                        request.getHeader("host"),
                        request.getHeader("x-forwarded-proto"),
                        String.valueOf(request.getHeader("transfer-encoding")),
                        String.join("|", request.headers().getAll("cookie"))))));

    Reply reply =
        send(
            HttpMethod.GET,
            "/a?b=c",
            MultiMap.caseInsensitiveMultiMap().add("cookie", "a=1").add("cookie", "b=2"),
            Optional.empty());

    assertThat(reply.version()).isEqualTo(HttpVersion.HTTP_2);
    String authority = WWW + ":" + edge.edge.securePort();
    assertThat(reply.body()).isEqualTo("http/1.1 GET /a?b=c " + authority + " https null a=1; b=2");
    assertThat(reply.headers().get("x-answer")).isEqualTo("yes");
    assertThat(reply.headers().contains("x-hop")).isFalse();
    assertThat(reply.headers().contains("connection")).isFalse();
  }

  @Test
  void aBodyIsPassedOnWhetherItsLengthIsAnnouncedOrNot() {
    edge.route(WWW, edge.upstream(EdgeHttp2Test::echo));
    String large = "0123456789".repeat(200_000);

    for (HttpMethod method : List.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.DELETE)) {
      assertThat(send(method, "/", headers(), Optional.of("small")).body()).isEqualTo("small");
      assertThat(
              send(method, "/", headers().add("content-length", "5"), Optional.of("small")).body())
          .isEqualTo("small");
      assertThat(send(method, "/", headers(), Optional.empty()).body()).isEmpty();
    }
    assertThat(send(HttpMethod.PUT, "/", headers(), Optional.of(large)).body()).isEqualTo(large);
  }

  /** By HTTP/1.1 the second line would be a header of its own to some applications. */
  @ParameterizedTest
  @ValueSource(strings = {"a\r\n content-length: 5", "a\n transfer-encoding: chunked"})
  void aHeaderOfSeveralLinesIsRefused(String value) {
    edge.route(WWW, edge.upstream(EdgeHttp2Test::echo));

    assertThat(send(HttpMethod.GET, "/", headers().add("x-more", value), Optional.empty()).status())
        .isEqualTo(400);
  }

  @Test
  void manyRequestsShareAConnection() {
    CompletableFuture<Void> all = new CompletableFuture<>();
    AtomicInteger waiting = new AtomicInteger();
    edge.route(
        WWW,
        edge.upstream(request -> {
          if (waiting.incrementAndGet() == 20) {
            all.complete(null);
          }
          var _ = all.thenRun(() -> request.response().end(request.uri()));
        }));

    List<Future<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      replies.add(reply(HttpMethod.GET, "/" + i, headers(), Optional.empty()));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(TestEdge.get(replies.get(i).toCompletionStage().toCompletableFuture()).body())
          .isEqualTo("/" + i);
    }
  }

  @Test
  void anAnswerIsStreamedAndItsTrailersFollow() {
    edge.route(
        WWW,
        edge.upstream(request -> {
          var response = request.response().setChunked(true).putHeader("Trailer", "x-end");
          response.write("one ");
          response.putTrailer("x-end", "here").end("two");
        }));

    HttpClientResponse response =
        TestEdge.get(
            request(HttpMethod.GET, "/", headers())
                .compose(request -> request.send().compose(it -> it.body().map(_ -> it)))
                .toCompletionStage()
                .toCompletableFuture());
    assertThat(response.getTrailer("x-end")).isEqualTo("here");
  }

  @Test
  void aRequestThatIsGivenUpEndsAtTheAppAndLeavesTheOthersAlone() {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    CompletableFuture<Void> came = new CompletableFuture<>();
    edge.route(
        WWW,
        edge.upstream(request -> {
          if (request.uri().equals("/slow")) {
            request.response().closeHandler(_ -> gone.complete(null));
            came.complete(null);
          } else {
            request.response().end("still there");
          }
        }));
    HttpClientRequest slow =
        TestEdge.get(
            request(HttpMethod.GET, "/slow", headers())
                .onSuccess(request -> request.end())
                .toCompletionStage()
                .toCompletableFuture());
    TestEdge.get(came);
    slow.reset(8);

    TestEdge.get(gone);
    assertThat(send(HttpMethod.GET, "/", headers(), Optional.empty()).body())
        .isEqualTo("still there");
  }

  @Test
  void anAnswerThatBreaksOffIsNoWholeOne() {
    edge.route(
        WWW,
        edge.raw(peer -> {
          peer.head();
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        }));

    assertThatThrownBy(() -> send(HttpMethod.GET, "/", headers(), Optional.empty()))
        .hasStackTraceContaining("reset");
    edge.route(WWW, edge.named("whole"));
    assertThat(send(HttpMethod.GET, "/", headers(), Optional.empty()).body()).isEqualTo("whole");
  }

  @Test
  void anAppKeepsItsConnectionFromRequestToRequest() {
    AtomicInteger connections = new AtomicInteger();
    edge.route(
        WWW,
        edge.raw(peer -> {
          connections.incrementAndGet();
          while (true) {
            peer.head();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
          }
        }));

    for (int i = 0; i < 10; i++) {
      assertThat(send(HttpMethod.GET, "/", headers(), Optional.empty()).body()).isEqualTo("ok");
    }
    assertThat(connections.get()).isEqualTo(1);
  }

  @Test
  void anIdleConnectionIsClosed() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    try (TestEdge quick =
        edge(options ->
            options.withClients(
                ClientLimits.DEFAULTS.withWaits(Duration.ofSeconds(30), Duration.ofMillis(100))))) {
      quick.edge.secure(
          new TlsTable(Map.of(WWW, authority.issue(WWW)), Optional.empty(), Map.of()));
      quick.route(WWW, quick.named("www"));
      HttpClientRequest request =
          TestEdge.get(
              client
                  .request(options(quick, HttpMethod.GET, "/"))
                  .toCompletionStage()
                  .toCompletableFuture());
      request.connection().closeHandler(_ -> closed.complete(null));
      assertThat(
              TestEdge.get(
                      reply(request, Optional.empty()).toCompletionStage().toCompletableFuture())
                  .body())
          .isEqualTo("www");
      TestEdge.get(closed);
    }
  }

  @Test
  void theApiAnswersToo() {
    Reply reply =
        TestEdge.get(
            client
                .request(options(edge, HttpMethod.GET, "/").setHost("localhost"))
                .compose(request -> reply(request, Optional.empty()))
                .toCompletionStage()
                .toCompletableFuture());

    assertThat(reply.body()).isEqualTo("control");
  }

  private record Reply(int status, HttpVersion version, MultiMap headers, String body) {}

  private static void echo(HttpServerRequest request) {
    request.body().onSuccess(body -> request.response().end(body));
  }

  private Reply send(HttpMethod method, String uri, MultiMap headers, Optional<String> body) {
    return TestEdge.get(
        reply(method, uri, headers, body).toCompletionStage().toCompletableFuture());
  }

  private Future<Reply> reply(
      HttpMethod method, String uri, MultiMap headers, Optional<String> body) {
    return request(method, uri, headers).compose(request -> reply(request, body));
  }

  private static Future<Reply> reply(HttpClientRequest request, Optional<String> body) {
    return body.map(text ->
            request.headers().contains("content-length")
                ? request.send(Buffer.buffer(text))
                : unannounced(request, text))
        .orElseGet(request::send)
        .compose(response ->
            response
                .body()
                .map(it ->
                    new Reply(
                        response.statusCode(),
                        request.version(),
                        response.headers(),
                        it.toString())));
  }

  private static Future<HttpClientResponse> unannounced(HttpClientRequest request, String text) {
    request.setChunked(true).write(text);
    return request.end().compose(_ -> request.response());
  }

  private Future<HttpClientRequest> request(HttpMethod method, String uri, MultiMap headers) {
    return client
        .request(options(edge, method, uri))
        .onSuccess(request -> request.headers().addAll(headers));
  }

  private static RequestOptions options(TestEdge edge, HttpMethod method, String uri) {
    int port = edge.edge.securePort();
    return new RequestOptions()
        .setServer(SocketAddress.inetSocketAddress(port, "127.0.0.1"))
        .setHost(WWW)
        .setPort(port)
        .setMethod(method)
        .setURI(uri);
  }

  private static MultiMap headers() {
    return MultiMap.caseInsensitiveMultiMap();
  }

  private static TestEdge edge(UnaryOperator<EdgeOptions> more) {
    return new TestEdge(
        options -> more.apply(options.withHttps(new HttpsOptions(0, 443, Optional.empty()))));
  }
}
