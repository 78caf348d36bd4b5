package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import dev.slipway.site.Sites;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ports that everything answers on: one plain, and one with TLS where the options have it.
 * Requests for the public host, for an address instead of a name, or without a host go to API and
 * dashboard; those for a name in the {@link RouteTable} go to the app.
 *
 * <p>Thread-safe. Wants a Vert.x with {@code preferNativeTransport} and a Java virtual machine with
 * {@code -Dio.netty.allocator.type=pooled}.
 */
public final class EdgeServer implements Routes.Edge {
  // Vert.x shares one free port among the servers that listen on the same negative number.
  private static final AtomicInteger FREE_PORTS = new AtomicInteger();

  private final Vertx vertx;
  private final EdgeOptions options;
  private final Waker waker;
  private final Sites sites;
  private final Handler<HttpServerRequest> control;
  private final LiveRoutes routes = new LiveRoutes();
  private final TlsKeys keys = new TlsKeys();
  private final AddressCounts counts;
  private final Refusals refusals = new Refusals();
  private final AtomicInteger openPort = new AtomicInteger();
  private final AtomicInteger openSecurePort = new AtomicInteger();
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
    this.vertx = vertx;
    this.options = options;
    this.counts = new AddressCounts(options.clients().perAddress());
    this.waker = waker;
    this.sites = sites;
    this.control = control;
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
    var loops = new DeploymentOptions().setInstances(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE);
    try {
      verticle =
          Optional.of(
              vertx
                  .deployVerticle(
                      () ->
                          new EdgeLoop(
                              routes, options, keys, ports, waker, sites, control, counts,
                              refusals),
                      loops)
                  .toCompletionStage()
                  .toCompletableFuture()
                  .join());
    } catch (CompletionException e) {
      throw e.getCause() instanceof IllegalStateException sentence
          ? sentence
          : new IllegalStateException("The edge cannot be started: " + e.getCause(), e);
    }
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

  /** How many requests are under way at the instance, WebSockets included. */
  public int inFlight(InstanceId instance) {
    return routes.inFlight(instance);
  }

  /** How long ago the last request to the instance ended; nothing while one is under way. */
  public Duration idle(InstanceId instance) {
    return routes.idle(instance);
  }

  /**
   * Lets no further request go to any of these instances, if nothing is under way there, WebSockets
   * and event streams included, and nothing was for so long; else nothing changes. They must be out
   * of the routes soon after it: a request that finds them closed waits.
   */
  public boolean closeIdle(Collection<InstanceId> instances, Duration atLeast) {
    return routes.closeIdle(instances, atLeast);
  }

  /** Takes {@link #closeIdle} back. */
  public void reopen(Collection<InstanceId> instances) {
    routes.reopen(instances);
  }

  /**
   * Lets no further request go to the instance, ever, and waits for those that are under way. To be
   * called once a table without the instance has been applied. May be called again.
   *
   * <p>Completes on an event loop: what depends on it must not block there.
   *
   * @return true when nothing is under way there; false when {@code limit} was over first, and what
   *     was left, WebSockets and event streams included, has been ended
   */
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
