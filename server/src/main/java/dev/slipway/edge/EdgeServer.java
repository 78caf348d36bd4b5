package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import dev.slipway.site.Sites;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.BindException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The port that everything answers on. Requests for the public host, for an address instead of a
 * name, or without a host go to API and dashboard; those for a name in the {@link RouteTable} go to
 * the app.
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
  private final AtomicInteger openPort = new AtomicInteger();
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
    int listenPort = options.port() == 0 ? FREE_PORTS.decrementAndGet() : options.port();
    var loops = new DeploymentOptions().setInstances(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE);
    try {
      verticle =
          Optional.of(
              vertx
                  .deployVerticle(
                      () ->
                          new EdgeLoop(
                              routes, options, listenPort, waker, sites, control, openPort),
                      loops)
                  .toCompletionStage()
                  .toCompletableFuture()
                  .join());
    } catch (CompletionException e) {
      throw new IllegalStateException(
          isTaken(e.getCause())
              ? "Port %d of %s cannot be opened: another program has it. Set http.port to a free one."
                  .formatted(options.port(), options.host())
              : "Port %d of %s cannot be opened: %s"
                  .formatted(options.port(), options.host(), e.getCause()),
          e);
    }
  }

  /** The native transport has an exception of its own for it, told apart by its text alone. */
  private static boolean isTaken(@Nullable Throwable cause) {
    return cause instanceof BindException
        || String.valueOf(cause).contains("Address already in use");
  }

  /** The port that is open. */
  public int port() {
    return openPort.get();
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
