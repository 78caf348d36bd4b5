package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.site.Site;
import dev.slipway.site.SiteIndex;
import dev.slipway.site.Sites;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** An edge on a free port, with instances that the test makes up; ends all of it. */
final class TestEdge implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(40);
  static final String SHOP = "shop.localhost";

  final Vertx vertx = EdgeServer.newVertx();
  final DeploymentId deployment = DeploymentId.next();
  final EdgeServer edge;
  private final Map<String, Route> routes = new HashMap<>();
  private final Queue<AutoCloseable> open = new ConcurrentLinkedQueue<>();
  private volatile Waker waker =
      _ -> CompletableFuture.failedFuture(new IllegalStateException("nothing to wake"));
  private volatile Function<Site, SiteIndex> siteReader =
      _ -> {
        throw new IllegalStateException("no site");
      };
  private long version;

  TestEdge() {
    this(UnaryOperator.identity());
  }

  TestEdge(UnaryOperator<EdgeOptions> options) {
    this(options, request -> request.response().end("control"));
  }

  TestEdge(UnaryOperator<EdgeOptions> options, Handler<HttpServerRequest> control) {
    this(options, control, EdgeRecords.none());
  }

  TestEdge(
      UnaryOperator<EdgeOptions> options, Handler<HttpServerRequest> control, EdgeRecords records) {
    edge =
        new EdgeServer(
            vertx,
            options.apply(new EdgeOptions("127.0.0.1", 0, "localhost", "localhost")),
            asked -> waker.wake(asked),
            new Sites(site -> siteReader.apply(site)),
            new ControlPlane.Here(control),
            records);
    edge.start();
  }

  void waker(Waker next) {
    waker = next;
  }

  /** Leads a host name to sites: the one that serves, and those before it. */
  void sites(String host, boolean preview, Function<Site, SiteIndex> reader, Site... sites) {
    route(
        host,
        reader,
        new Route(
            ProjectId.next(),
            deployment,
            preview,
            List.of(),
            Optional.of(sites[0]),
            Stream.of(sites).skip(1).map(TestEdge::earlier).toList()));
  }

  /** Files that are still looked for. */
  static Route.Earlier earlier(Site site) {
    return new Route.Earlier(site, Instant.now().plus(Duration.ofHours(1)));
  }

  synchronized void route(String host, Function<Site, SiteIndex> reader, Route route) {
    siteReader = reader;
    routes.put(host, route);
    edge.apply(new RouteTable(++version, routes));
  }

  /** An instance that answers as {@code handler} does. */
  Target upstream(Handler<HttpServerRequest> handler) {
    return target(listen(0, handler));
  }

  /** From now on the target answers. */
  void listen(Target target, Handler<HttpServerRequest> handler) {
    listen(target.port(), handler);
  }

  private int listen(int port, Handler<HttpServerRequest> handler) {
    HttpServer server =
        vertx.createHttpServer(
            new HttpServerOptions().setMaxHeaderSize(64 << 10).setIdleTimeout(0));
    return get(server
            .requestHandler(handler)
            .listen(port, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture())
        .actualPort();
  }

  /** An instance that answers its own name, for GET. */
  Target named(String name) {
    return upstream(request -> request.response().end(name));
  }

  /** An instance on a bare socket, for what no HTTP server would do; one thread a connection. */
  Target raw(RawServer.Connection connection) {
    RawServer server = new RawServer(connection);
    open.add(server);
    return target(server.port());
  }

  static Target target(int port) {
    return new Target(InstanceId.next(), "127.0.0.1", port);
  }

  /** One at whose port nobody listens. */
  static Target deadTarget() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return target(socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void route(String host, Target... targets) {
    route(host, false, targets);
  }

  synchronized void route(String host, boolean preview, Target... targets) {
    routes.put(host, new Route(ProjectId.next(), deployment, preview, List.of(targets)));
    edge.apply(new RouteTable(++version, routes));
  }

  RawClient client() {
    RawClient client = new RawClient(edge.port());
    open.add(client);
    return client;
  }

  /** The answer to a GET of the shop on a connection of its own. */
  RawClient.Answer get(String path) {
    try (RawClient client = new RawClient(edge.port())) {
      return client.send("GET " + path + " HTTP/1.1\r\nHost: " + SHOP + "\r\n\r\n").answer();
    }
  }

  static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Waits until {@code condition} holds; fails when it does not in good time. */
  static void eventually(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time: " + what);
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    for (AutoCloseable resource : open) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    edge.close();
    get(vertx.close().toCompletionStage().toCompletableFuture());
  }
}
