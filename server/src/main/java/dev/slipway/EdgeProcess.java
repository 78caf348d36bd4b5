package dev.slipway;

import dev.slipway.certificate.CertificateStore;
import dev.slipway.certificate.OrderStore;
import dev.slipway.certificate.TlsTables;
import dev.slipway.config.ServerConfig;
import dev.slipway.core.EdgeId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.StoreAddress;
import dev.slipway.edge.ControlPlane;
import dev.slipway.edge.EdgeFolder;
import dev.slipway.edge.EdgeLink;
import dev.slipway.edge.EdgeMemory;
import dev.slipway.edge.EdgeOptions;
import dev.slipway.edge.EdgeRecords;
import dev.slipway.edge.EdgeServer;
import dev.slipway.edge.Handover;
import dev.slipway.edge.ListeningSockets;
import dev.slipway.edge.RemoteWaker;
import dev.slipway.edge.RouteTable;
import dev.slipway.edge.Routes;
import dev.slipway.metric.TrafficMeters;
import dev.slipway.metric.TrafficReport;
import dev.slipway.metric.TrafficStore;
import dev.slipway.release.ReleaseStore;
import dev.slipway.site.Sites;
import dev.slipway.vault.Vault;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edge as a process of its own. It serves from what it knows, on its own disk if need be,
 * whether the control plane and the store answer or not, and follows the store whenever it does.
 * Like {@link Server} it reads from top to bottom.
 *
 * <p>Where another edge process serves with the same data directory it takes over from that one,
 * without a lost connection; the other one ends when its clients have gone.
 */
public final class EdgeProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EdgeProcess.class);

  private static final String STORE = "the store";

  private final Lifetime lifetime = new Lifetime();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final ServerConfig config;
  private final ConfiguredParts configured;

  private EdgeProcess(ServerConfig config, Map<String, String> environment) {
    this.config = config;
    this.configured = new ConfiguredParts(config, environment);
  }

  /**
   * Starts it and returns when its port is open: with what the store says, or, where that does not
   * answer, with what is on disk. Without both it waits for the store.
   *
   * @throws Server.StartException with a sentence that says what to do
   */
  public static EdgeProcess start(ServerConfig config, Map<String, String> environment) {
    EdgeProcess process = new EdgeProcess(config, environment);
    try {
      process.start();
      return process;
    } catch (IOException | UncheckedIOException | IllegalStateException | TransientException e) {
      process.close();
      throw new Server.StartException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private void start() throws IOException {
    configured.requireSupported();
    Path data = config.dataDir();
    Vault vault = vault();
    EdgeFolder folder = EdgeFolder.below(data);
    Supplier<StoreAddress> store = configured.runningStore(data);
    Database database = lifetime.closing(Database.following(store));
    ListeningSockets sockets = new ListeningSockets();
    Vertx vertx = EdgeServer.newVertx(sockets);
    lifetime.closing(() -> vertx.close().toCompletionStage().toCompletableFuture().join());
    Routes routes = configured.routes(database);
    TlsTables tlsTables =
        new TlsTables(
            database, new CertificateStore(vault), new OrderStore(vault), configured.certificate());
    RemoteWaker waker = lifetime.closing(new RemoteWaker(database));
    TrafficMeters meters = new TrafficMeters();
    lifetime.closing(
        new TrafficReport(database, new TrafficStore(), meters, Clock.systemUTC()).start());
    EdgeOptions options = configured.edgeOptions();
    EdgeServer edge =
        new EdgeServer(
            vertx,
            options,
            waker,
            Sites.of(ReleaseStore.reading(data.resolve("releases"), Clock.systemUTC())),
            new ControlPlane.Apart(folder.controlSocket()),
            new EdgeRecords(lifetime.closing(configured.accessLog()), meters));
    EdgeMemory memory = lifetime.closing(new EdgeMemory(folder, vault, edge));
    boolean remembered = memory.recall(tlsTables::configured);

    CompletableFuture<String> known = new CompletableFuture<>();
    routes.feed(
        new Routes.Edge() {
          @Override
          public void apply(RouteTable table) {
            memory.apply(table);
            known.complete(STORE);
          }

          @Override
          public void reset(RouteTable table) {
            memory.reset(table);
            known.complete(STORE);
          }
        });
    tlsTables.feed(memory::secure);
    Notifications notifications =
        lifetime.closing(
            Notifications.open(
                store,
                () -> {
                  waker.storeAway();
                  if (remembered) {
                    known.complete("its own disk: the store does not answer");
                  }
                }));
    waker.listen(notifications);
    tlsTables.mirror(notifications); // Before the routes: the port opens with both.
    routes.mirror(notifications);
    if (!remembered) {
      log.info("nothing is known of the routes yet: the port opens when the store has said them");
    }
    String source = known.join();
    EdgeId id = EdgeId.next();
    lifetime.closing(folder.locks().hold(id));
    EdgeLink link = lifetime.closing(new EdgeLink(id, database, routes, edge));
    if (source.equals(STORE)) { // else it is made known when the store is back
      link.join(); // Before the port opens: nothing that it leads to is stopped without asking it.
    }
    link.follow(notifications);
    lifetime.closing(edge::close);
    Handover handover = lifetime.closing(new Handover(folder));
    lifetime.closing(() -> {
      sockets.stop();
      leave(edge);
    });
    handover.start(
        edge,
        sockets,
        options,
        () -> {
          log.info("another edge process has taken over");
          memory.end();
          Thread.ofPlatform().name("leave").start(this::close);
        });
    memory.begin();
    log.info(
        "the edge is ready at {}; its routes (version {}) are from {}",
        config.http().publicUrl(),
        edge.version(),
        source);
  }

  /** Returns when the last client has gone, or has been given the time. */
  private void leave(EdgeServer edge) throws InterruptedException, ExecutionException {
    try {
      edge.leave().get(config.apps().drain().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      log.info("connections that were left after {} are cut", config.apps().drain());
    }
  }

  /** Completes when it has been closed, by whomever: it closes itself when another takes over. */
  public CompletableFuture<Void> ended() {
    return ended;
  }

  /** The control plane makes it; a key of our own would open nothing. */
  private Vault vault() throws IOException {
    Path keyFile = config.secrets().keyFile();
    if (!Files.exists(keyFile)) {
      throw new IllegalStateException(
          "the key file %s is missing: start the control plane first, with roles: [api, worker] and the same data_dir"
              .formatted(keyFile));
    }
    return Vault.open(keyFile);
  }

  /** Takes no further connection, lets clients end what they have begun, and ends. */
  @Override
  public void close() {
    lifetime.close();
    ended.complete(null);
  }
}
