package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.site.Sites;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edges that take over from each other as processes do, each with a Vert.x of its own. */
class TakeoverTest {
  private static final int TAKEOVERS = 5;
  private static final int NEW_CONNECTIONS = 2_000;
  private static final int KEPT_CONNECTIONS = 32;
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir private Path directory;
  private final TestAuthority authority = new TestAuthority();
  private final int port = freePort();
  private final int securePort = freePort();
  private final List<Edge> started = new ArrayList<>();
  private final Set<String> failures = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  @AfterEach
  void close() {
    started.forEach(Edge::close);
  }

  @Test
  void noConnectionIsLostWhileEdgesTakeOverUnderLoad() throws Exception {
    Edge serving = start(request -> request.response().end("0"));
    AtomicInteger connections = new AtomicInteger();
    List<Thread> visitors = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      visitors.add(
          Thread.startVirtualThread(() -> {
            while (!over || connections.get() < NEW_CONNECTIONS) {
              visitOnce();
              connections.incrementAndGet();
            }
          }));
    }
    Set<String> answers = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < KEPT_CONNECTIONS; i++) {
      visitors.add(Thread.startVirtualThread(() -> visitAgainAndAgain(answers)));
    }

    for (int i = 1; i <= TAKEOVERS; i++) {
      String name = Integer.toString(i);
      Edge next = start(request -> request.response().end(name));
      serving.awaitEnd();
      TestEdge.eventually(name + " answers", () -> answers.contains(name));
      serving = next;
    }
    over = true;
    for (Thread visitor : visitors) {
      visitor.join();
    }

    assertThat(failures).isEmpty();
    assertThat(connections.get()).isGreaterThanOrEqualTo(NEW_CONNECTIONS);
    assertThat(answers).contains("0", "5");
  }

  @Test
  void whatIsUnderWayEndsWhereItBeganAndIsTheLastOfItsConnection() throws Exception {
    CompletableFuture<HttpServerRequest> asked = new CompletableFuture<>();
    Edge first = start(asked::complete);
    try (RawClient client = new RawClient(port)) {
      client.send(REQUEST);
      HttpServerRequest request = TestEdge.get(asked);
      start(next -> next.response().end("second"));

      try (RawClient other = new RawClient(port)) {
        assertThat(other.send(REQUEST).answer().body()).isEqualTo("second");
      }
      assertThat(first.left.isDone()).isFalse();
      request.response().end("first");

      RawClient.Answer answer = client.answer();
      assertThat(answer.body()).isEqualTo("first");
      assertThat(answer.header("connection")).isEqualTo("close");
      first.awaitEnd();
    }
  }

  @Test
  void streamsOfHttp2EndWhereTheyBegan() throws Exception {
    CompletableFuture<HttpServerRequest> asked = new CompletableFuture<>();
    Edge first =
        start(request -> {
          if (!asked.complete(request)) {
            request.response().end("also first");
          }
        });
    HttpClient client =
        first.vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setUseAlpn(true)
                .setSsl(true)
                .setTrustOptions(authority.trustOptions()));
    CompletableFuture<String> answer = ask(client);
    HttpServerRequest request = TestEdge.get(asked);
    start(next -> next.response().end("second"));

    TestEdge.eventually("on another connection", () -> TestEdge.get(ask(client)).equals("second"));
    request.response().end("first");
    assertThat(TestEdge.get(answer)).isEqualTo("first");
    first.awaitEnd();
  }

  @Test
  void anotherProgramsPortIsTaken() throws Exception {
    try (ServerSocket other = new ServerSocket(port)) {
      assertThat(other.getLocalPort()).isEqualTo(port);
      assertThatThrownBy(() -> start(request -> {})).hasMessageContaining("another program has it");
    }
  }

  @Test
  void whereANewOneCannotStartTheOldOneGoesOnAndCanBeRelievedByTheNext() throws Exception {
    Edge first = start(request -> request.response().end("first"));
    try (ServerSocket other = new ServerSocket(0)) {
      EdgeOptions taken =
          new EdgeOptions("127.0.0.1", port, "localhost", "localhost")
              .withHttps(new HttpsOptions(other.getLocalPort(), securePort, Optional.empty()));
      assertThatThrownBy(() -> start(taken, request -> request.response().end("bad")))
          .hasMessageContaining("another program has it");
      started.getLast().close();
    }
    try (RawClient client = new RawClient(port)) {
      assertThat(client.send(REQUEST).answer().body()).isEqualTo("first");
    }

    start(request -> request.response().end("third"));
    assertThat(first.sockets.descriptors()).as("are not given to anybody any more").isEmpty();
    first.awaitEnd();

    try (RawClient client = new RawClient(port)) {
      assertThat(client.send(REQUEST).answer().body()).isEqualTo("third");
    }
  }

  @Test
  void anOldOneThatSaysNothingIsNamedAndOneThatWasKilledIsNot() throws Exception {
    EdgeFolder folder = EdgeFolder.below(directory);
    UnixDomainSocketAddress place = UnixDomainSocketAddress.of(folder.handover());
    try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      silent.bind(place); // its backlog takes the connection, and nobody says a word
      try (Handover handover = new Handover(folder, Duration.ofMillis(200))) {
        Edge edge = new Edge(options(), _ -> {});
        started.add(edge);
        assertThatThrownBy(() -> handover.start(edge.edge, edge.sockets, options(), () -> {}))
            .hasMessageContaining("does not answer: end it");
      }
    }
    assertThat(folder.handover()).as("what a killed one leaves").exists();

    start(request -> request.response().end("up"));

    try (RawClient client = new RawClient(port)) {
      assertThat(client.send(REQUEST).answer().body()).isEqualTo("up");
    }
  }

  @Test
  void aPortThatTheNewOneDoesNotWantIsLetGoOf() throws Exception {
    Edge first = start(request -> request.response().end("first"));
    int elsewhere = freePort();
    start(
        new EdgeOptions("127.0.0.1", elsewhere, "localhost", "localhost"),
        request -> request.response().end("second"));
    first.awaitEnd();

    try (RawClient client = new RawClient(elsewhere)) {
      assertThat(client.send(REQUEST).answer().body()).isEqualTo("second");
    }
    assertThatThrownBy(() -> new RawClient(port).close()).isInstanceOf(UncheckedIOException.class);
  }

  private void visitOnce() {
    try (RawClient client = new RawClient(port)) {
      client.send(REQUEST);
      if (client.answer().status() != 200) {
        failures.add("not 200");
      }
    } catch (UncheckedIOException e) {
      failures.add("new: " + e);
    }
  }

  private void visitAgainAndAgain(Set<String> answers) {
    while (!over) {
      try (RawClient client = new RawClient(port)) {
        boolean last = false;
        while (!last && !over) {
          RawClient.Answer answer = client.send(REQUEST).answer();
          answers.add(answer.body());
          last = answer.header("connection").equals("close");
        }
      } catch (UncheckedIOException e) {
        failures.add("kept: " + e);
      }
    }
  }

  private CompletableFuture<String> ask(HttpClient client) {
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost("localhost")
                .setPort(securePort)
                .setURI("/"))
        .compose(request -> request.send().compose(response -> response.body()))
        .map(body -> body.toString())
        .toCompletionStage()
        .toCompletableFuture();
  }

  private Edge start(Handler<HttpServerRequest> control) throws IOException {
    return start(options(), control);
  }

  private EdgeOptions options() {
    return new EdgeOptions("127.0.0.1", port, "localhost", "localhost")
        .withHttps(new HttpsOptions(securePort, securePort, Optional.empty()));
  }

  private Edge start(EdgeOptions options, Handler<HttpServerRequest> control) throws IOException {
    Edge edge = new Edge(options, control);
    started.add(edge);
    edge.edge.secure(new TlsTable(Map.of(), Optional.of(authority.issue("localhost")), Map.of()));
    edge.handover.start(edge.edge, edge.sockets, options, edge::leave);
    return edge;
  }

  private final class Edge {
    private final ListeningSockets sockets = new ListeningSockets();
    private final Vertx vertx = EdgeServer.newVertx(sockets);
    private final Handover handover = new Handover(EdgeFolder.below(directory));
    private final EdgeServer edge;
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    Edge(EdgeOptions options, Handler<HttpServerRequest> control) throws IOException {
      edge =
          new EdgeServer(
              vertx,
              options,
              _ -> CompletableFuture.failedFuture(new IllegalStateException("nothing to wake")),
              new Sites(site -> {
                throw new IllegalStateException("no site");
              }),
              control);
    }

    void leave() {
      var _ = edge.leave().thenRun(() -> left.complete(null));
    }

    void awaitEnd() {
      TestEdge.get(left);
      close();
    }

    void close() {
      handover.close();
      edge.close();
      TestEdge.get(vertx.close().toCompletionStage().toCompletableFuture());
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
