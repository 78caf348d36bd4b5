package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static dev.slipway.edge.TestEdge.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.slipway.accesslog.AccessLog;
import dev.slipway.core.Cidr;
import dev.slipway.metric.TrafficMeters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one finds in the access log of what came to the port. */
class EdgeAccessLogTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SECRET = "hunter2hunter2";

  @TempDir private Path folder;
  private AccessLog log;
  private TestEdge edge;

  @BeforeEach
  void open() {
    log = AccessLog.in(folder, Duration.ofDays(1), 16 << 20);
    edge =
        new TestEdge(
            options ->
                options
                    .withClients(
                        ClientLimits.DEFAULTS
                            .withWaits(Duration.ofSeconds(2), Duration.ofSeconds(60))
                            .withSilence(Duration.ofSeconds(2)))
                    .withHttps(new HttpsOptions(0, 443, Optional.empty()))
                    .withTrustedProxies(List.of(Cidr.parse("127.0.0.2/32"))),
            this::control,
            new EdgeRecords(log, new TrafficMeters()));
  }

  /** As the API does it: its router sets handlers of its own on the answer. */
  private void control(HttpServerRequest request) {
    if (request.decoderResult().isFailure()) {
      HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
      return;
    }
    Router router = Router.router(edge.vertx);
    router
        .route()
        .handler(context -> {
          context.addEndHandler(_ -> {});
          context.response().putHeader("X-Request-Id", "api-1");
          if ("/endless".equals(request.path())) {
            context.response().setChunked(true).write("first");
          } else {
            context.end("control");
          }
        });
    router.handle(request);
  }

  @AfterEach
  void close() {
    edge.close();
    log.close();
  }

  @Test
  void aRequestToAnAppIsOneLineWithoutItsSecrets() {
    CompletableFuture<String> idSeen = new CompletableFuture<>();
    Target target =
        edge.upstream(request -> {
          idSeen.complete(request.getHeader("X-Request-Id"));
          request.endHandler(_ -> request.response().setStatusCode(201).end("hello"));
          request.resume();
        });
    edge.route(SHOP, target);

    edge.client()
        .sendLines(
            """
            POST /a%20b?token=hunter2hunter2 HTTP/1.1
            Host: shop.localhost:8080
            Authorization: Bearer hunter2hunter2
            Cookie: session=hunter2hunter2
            Referer: http://x.example/?t=hunter2hunter2
            User-Agent: a "quoted" agent
            Content-Length: 3

            abc\
            """)
        .answer();

    JsonNode line = line();
    assertThat(line.get("status").asInt()).isEqualTo(201);
    assertThat(line.get("method").asText()).isEqualTo("POST");
    assertThat(line.get("scheme").asText()).isEqualTo("http");
    assertThat(line.get("host").asText()).isEqualTo("shop.localhost:8080");
    assertThat(line.get("path").asText()).isEqualTo("/a%20b");
    assertThat(line.get("protocol").asText()).isEqualTo("HTTP/1.1");
    assertThat(line.get("client").asText()).isEqualTo("127.0.0.1");
    assertThat(line.get("bytes_in").asLong()).isEqualTo(3);
    assertThat(line.get("bytes_out").asLong()).isEqualTo(5);
    assertThat(line.get("user_agent").asText()).isEqualTo("a \"quoted\" agent");
    assertThat(line.get("deployment").asText()).isEqualTo(edge.deployment.value());
    assertThat(line.get("project").asText()).startsWith("prj_");
    assertThat(line.get("instance").asText()).isEqualTo(target.instance().value());
    assertThat(line.get("upstream_ms").asDouble())
        .isPositive()
        .isLessThanOrEqualTo(line.get("duration_ms").asDouble());
    assertThat(line.get("id").asText()).isEqualTo(idSeen.join()).matches("[0-9a-f]{32}");
    assertThat(line.has("aborted")).isFalse();
    assertThat(line.has("reason")).isFalse();
    assertThat(line.toString()).doesNotContain(SECRET);
  }

  @Test
  void theClientsOwnIdIsTakenOverWhereItIsSane() {
    edge.route(SHOP, edge.upstream(request -> request.response().end()));
    try (RawClient client = edge.client()) {
      client.sendLines("GET / HTTP/1.1\nHost: shop.localhost\nX-Request-Id: ci-42\n\n").answer();
      assertThat(line().get("id").asText()).isEqualTo("ci-42");
      client.sendLines("GET /2 HTTP/1.1\nHost: shop.localhost\nX-Request-Id: a b\n\n").answer();
      assertThat(lines(2).get(1).get("id").asText()).matches("[0-9a-f]{32}");
    }
  }

  @Test
  void pagesOfTheEdgeSayWhy() {
    edge.client().sendLines("GET /x HTTP/1.1\nHost: nobody.example\n\n").answer();

    JsonNode line = line();
    assertThat(line.get("status").asInt()).isEqualTo(404);
    assertThat(line.get("reason").asText()).isEqualTo("nobody");
    assertThat(line.has("project")).isFalse();
  }

  @Test
  void theApiIsLoggedAlsoWhereItsAnswerIsBrokenOff() {
    edge.client().sendLines("GET /v1/x HTTP/1.1\nHost: localhost\n\n").answer();
    JsonNode whole = line();
    assertThat(whole.get("id").asText()).isEqualTo("api-1");
    assertThat(whole.get("bytes_out").asLong()).isEqualTo(7);

    RawClient client = edge.client().sendLines("GET /endless HTTP/1.1\nHost: localhost\n\n");
    client.head();
    client.close();
    JsonNode broken = lines(2).get(1);
    assertThat(broken.get("status").asInt()).isEqualTo(200);
    assertThat(broken.get("aborted").asBoolean()).isTrue();
  }

  @Test
  void aClientThatLeavesBeforeTheAnswerIsA499() {
    CompletableFuture<HttpServerRequest> asked = new CompletableFuture<>();
    edge.route(SHOP, edge.upstream(asked::complete));

    RawClient client = edge.client().sendLines("GET / HTTP/1.1\nHost: shop.localhost\n\n");
    TestEdge.get(asked);
    client.close();

    JsonNode line = line();
    assertThat(line.get("status").asInt()).isEqualTo(499);
    assertThat(line.get("aborted").asBoolean()).isTrue();
    assertThat(line.has("upstream_ms")).isFalse();
  }

  @Test
  void anAnswerThatTheAppBreaksOffIsToldApart() {
    edge.route(
        SHOP,
        edge.raw(connection -> {
          connection.head();
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
          connection.close();
        }));

    edge.client().sendLines("GET / HTTP/1.1\nHost: shop.localhost\n\n").head();

    JsonNode line = line();
    assertThat(line.get("status").asInt()).isEqualTo(200);
    assertThat(line.get("aborted").asBoolean()).isTrue();
    assertThat(line.get("reason").asText()).isEqualTo("answer_broken_off");
  }

  @Test
  void headsThatAreRefusedSayWhy() {
    assertThat(refused("GET  / HTTP/1.1\nHost: shop.localhost\n\n"))
        .isEqualTo("400 head_unreadable");
    assertThat(refused("GET / HTTP/1.1\nHost: a\nHost: b\n\n")).isEqualTo("400 head_doubtful");
    assertThat(refused("GET / HTTP/1.2\nHost: a\nHost: b\n\n")).isEqualTo("400 head_doubtful");
    assertThat(refused("GET / HTTP/1.1\nHost: shop.localhost\nX: " + "x".repeat(70 << 10) + "\n\n"))
        .isEqualTo("431 head_unreadable");
    assertThat(refused("GET / HTT")).isEqualTo("408 head_slow");
    edge.route(SHOP, edge.upstream(_ -> {}));
    assertThat(refused("POST / HTTP/1.1\nHost: shop.localhost\nContent-Length: 9\n\nabc"))
        .isEqualTo("408 body_slow");
  }

  private String refused(String request) {
    int before = read().size();
    edge.client().sendLines(request).head();
    JsonNode line = lines(before + 1).get(before);
    return line.get("status").asInt() + " " + line.get("reason").asText();
  }

  @Test
  void aWebSocketIsToldAtItsEndWithWhatWentBothWays() {
    edge.route(
        SHOP,
        edge.upstream(request ->
            request
                .toNetSocket()
                .onSuccess(socket -> socket.handler(bytes -> answer(socket, bytes)))));
    RawClient client =
        edge.client()
            .sendLines(
                """
                GET /ws HTTP/1.1
                Host: shop.localhost
                Connection: Upgrade
                Upgrade: websocket

                """);
    assertThat(client.head()).contains("101");
    client.send("ping");
    assertThat(client.read(8)).isEqualTo("pingpong");
    assertThat(read()).isEmpty();
    client.close();

    JsonNode line = line();
    assertThat(line.get("status").asInt()).isEqualTo(101);
    assertThat(line.get("bytes_in").asLong()).isEqualTo(4);
    assertThat(line.get("bytes_out").asLong()).isEqualTo(8);
    assertThat(line.has("aborted")).isFalse();
  }

  private static void answer(NetSocket socket, Buffer bytes) {
    socket.write(bytes.copy().appendString("pong"));
  }

  @Test
  void http2IsToldInTheSameWay() {
    TestAuthority authority = new TestAuthority();
    edge.edge.secure(new TlsTable(Map.of(SHOP, authority.issue(SHOP)), Optional.empty(), Map.of()));
    CompletableFuture<HttpServerRequest> endless = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.upstream(request -> {
          if ("/endless".equals(request.path())) {
            endless.complete(request);
          } else {
            request.response().end("hello");
          }
        }));
    var client =
        edge.vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustOptions(authority.trustOptions()));
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(edge.edge.securePort(), "127.0.0.1"))
            .setHost(SHOP)
            .setMethod(HttpMethod.GET);

    TestEdge.get(
        client
            .request(new RequestOptions(options).setURI("/h2?token=1"))
            .compose(request -> request.send().compose(it -> it.body()))
            .toCompletionStage()
            .toCompletableFuture());
    JsonNode line = line();
    assertThat(line.get("protocol").asText()).isEqualTo("HTTP/2");
    assertThat(line.get("scheme").asText()).isEqualTo("https");
    assertThat(line.get("path").asText()).isEqualTo("/h2");
    assertThat(line.get("bytes_out").asLong()).isEqualTo(5);

    var sent =
        TestEdge.get(
            client
                .request(new RequestOptions(options).setURI("/endless"))
                .toCompletionStage()
                .toCompletableFuture());
    var _ = sent.send();
    TestEdge.get(endless);
    var _ = sent.reset();
    JsonNode reset = lines(2).get(1);
    assertThat(reset.get("status").asInt()).isEqualTo(499);
    assertThat(reset.get("aborted").asBoolean()).isTrue();
  }

  private JsonNode line() {
    return lines(1).getFirst();
  }

  /** When there are as many; fails when there are more. */
  private List<JsonNode> lines(int count) {
    eventually(count + " lines", () -> read().size() >= count);
    List<JsonNode> lines = read();
    assertThat(lines).hasSize(count);
    return lines;
  }

  private List<JsonNode> read() {
    try {
      return Files.readAllLines(folder.resolve("access.log")).stream().map(this::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
