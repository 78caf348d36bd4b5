package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import dev.slipway.site.Sites;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.metrics.MetricsOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The ports that everything answers on: one plain, and one with TLS where the options have it.
 * Requests for the public host, for an address instead of a name, or without a host go to API and
 * dashboard; those for a name in the {@link RouteTable} go to the app.
 *
 * <p>Thread-safe. Wants a Vert.x of {@link #newVertx} and a Java virtual machine with {@code
 * -Dio.netty.allocator.type=pooled}.
 */
public final class EdgeServer implements Routes.Edge, Traffic {
  // Vert.x shares one free port among the servers that listen on the same negative number.
  private static final AtomicInteger FREE_PORTS = new AtomicInteger();

  private final Vertx vertx;
  private final EdgeOptions options;
  private final Waker waker;
  private final Sites sites;
  private final ControlPlane control;
  private final EdgeRecords records;
  private final LiveRoutes routes = new LiveRoutes();
  private final TlsKeys keys = new TlsKeys();
  private final Entrance entrance;
  private final Refusals refusals = new Refusals();
  private final AtomicInteger openPort = new AtomicInteger();
  private final AtomicInteger openSecurePort = new AtomicInteger();
  private final List<EdgeLoop> loops = new CopyOnWriteArrayList<>();
  private Optional<String> verticle = Optional.empty();

  /**
   * @param control answers for API and dashboard; on an event loop, so that it must not block
   */
  public EdgeServer(
      Vertx vertx,
      EdgeOptions options,
      Waker waker,
      Sites sites,
      Handler<HttpServerRequest> control) {
    this(vertx, options, waker, sites, new ControlPlane.Here(control), EdgeRecords.none());
  }

  /**
   * @param records is told of each request that has ended, where {@code vertx} was made by {@link
   *     #newVertx}
   */
  public EdgeServer(
      Vertx vertx,
      EdgeOptions options,
      Waker waker,
      Sites sites,
      ControlPlane control,
      EdgeRecords records) {
    this.vertx = vertx;
    this.options = options;
    this.entrance =
        new Entrance(
            options.clients(), refusals, new ForwardedHeaders(options.trustedProxies())::trusts);
    this.waker = waker;
    this.sites = sites;
    this.control = control;
    this.records = records;
    refusals.reportTo(records.meters());
    records.meters().lostLines(records.accessLog()::lost);
  }

  /** One that an edge can be put upon. */
  public static Vertx newVertx() {
    return vertx().build();
  }

  /** One whose edge listens at these sockets. */
  public static Vertx newVertx(ListeningSockets sockets) {
    return vertx().withTransport(sockets).build();
  }

  private static VertxBuilder vertx() {
    return Vertx.builder()
        .with(
            new VertxOptions()
                .setPreferNativeTransport(true)
                .setMetricsOptions(new MetricsOptions().setEnabled(true)))
        .withMetrics(new ExchangeEvents());
  }

  /**
   * Opens the port; returns when it is open. Blocks, so not from an event loop.
   *
   * @throws IllegalStateException with a sentence for the operator where it cannot be opened
   */
  public synchronized void start() {
    EdgeLoop.Ports ports =
        new EdgeLoop.Ports(
            listen(options.port()),
            options.https().map(https -> listen(https.port())).orElse(0),
            openPort,
            openSecurePort);
    var instances = new DeploymentOptions().setInstances(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE);
    try {
      verticle =
          Optional.of(
              vertx
                  .deployVerticle(() -> newLoop(ports), instances)
                  .toCompletionStage()
                  .toCompletableFuture()
                  .join());
    } catch (CompletionException e) {
      throw e.getCause() instanceof IllegalStateException sentence
          ? sentence
          : new IllegalStateException("The edge cannot be started: " + e.getCause(), e);
    }
  }

  private EdgeLoop newLoop(EdgeLoop.Ports ports) {
    EdgeLoop loop =
        new EdgeLoop(routes, options, keys, ports, waker, sites, control, entrance, records);
    loops.add(loop);
    return loop;
  }

  /**
   * Has all clients go elsewhere, none of whose requests is lost: answers say that they are the
   * last of their connection. Completes when no connection is left; that may be never, with
   * WebSockets and event streams. Takes new connections as long as the sockets do.
   */
  public synchronized CompletableFuture<?> leave() {
    if (verticle.isEmpty()) {
      return CompletableFuture.completedFuture(this);
    }
    return Future.all(loops.stream().map(EdgeLoop::leave).toList())
        .toCompletionStage()
        .toCompletableFuture();
  }

  private static int listen(int port) {
    return port == 0 ? FREE_PORTS.decrementAndGet() : port;
  }

  /** The port that is open. */
  public int port() {
    return openPort.get();
  }

  /** The port with TLS that is open; 0 where there is none. */
  public int securePort() {
    return openSecurePort.get();
  }

  /** Replaces all certificates and challenges at once, for every handshake from now on. */
  public void secure(TlsTable table) {
    keys.apply(table);
  }

  /** Closes the port and all connections, whatever is under way. Blocks; may be called again. */
  public synchronized void close() {
    verticle.ifPresent(id -> vertx.undeploy(id).toCompletionStage().toCompletableFuture().join());
    verticle = Optional.empty();
  }

  /**
   * Replaces all routes at once. Requests under way end where they began. A table that is older
   * than the present one is ignored.
   */
  @Override
  public void apply(RouteTable table) {
    routes.apply(table);
  }

  /** The same, whatever version the present table has: for one that turned out not to count. */
  @Override
  public void reset(RouteTable table) {
    routes.reset(table);
  }

  /** The version of the table that counts. */
  public long version() {
    return routes.table().version();
  }

  /** How often something was refused for this. */
  long refused(Refusal why) {
    return refusals.count(why);
  }

  /** How many requests are under way at the instance, WebSockets included. */
  public int inFlight(InstanceId instance) {
    return routes.inFlight(instance);
  }

  @Override
  public Map<InstanceId, Duration> idle(Collection<InstanceId> instances) {
    return instances.stream().distinct().collect(Collectors.toMap(it -> it, routes::idle));
  }

  @Override
  public boolean closeIdle(Collection<InstanceId> instances, Duration atLeast) {
    return routes.closeIdle(instances, atLeast);
  }

  @Override
  public void reopen(Collection<InstanceId> instances) {
    routes.reopen(instances);
  }

  /** Completes on an event loop. */
  @Override
  public CompletableFuture<Boolean> drain(InstanceId instance, Duration limit) {
    var result = new CompletableFuture<Boolean>();
    var decided = new AtomicBoolean();
    long timer =
        vertx.setTimer(
            Math.max(1, limit.toMillis()),
            _ -> {
              if (decided.compareAndSet(false, true)) {
                routes.abortAll(instance);
                result.complete(false);
              }
            });
    var _ =
        routes
            .close(instance)
            .thenRun(() -> {
              if (decided.compareAndSet(false, true)) {
                vertx.cancelTimer(timer);
                result.complete(true);
              }
            });
    return result;
  }
}
