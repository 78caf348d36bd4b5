package dev.slipway.edge;

import dev.slipway.site.Sites;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The edge on one event loop: one server, and one client with connections of its own. */
final class EdgeLoop extends VerticleBase {
  private static final Duration CHECK_EVERY = Duration.ofMillis(500);
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final int MAX_HEAD_BYTES = 64 << 10;
  private static final int MAX_LINE_BYTES = 16 << 10;
  private static final int CHUNK_BYTES = 64 << 10;

  /** Every request under way has one, and event streams and WebSockets keep theirs. */
  private static final int MAX_CONNECTIONS_PER_INSTANCE = 8192;

  private final LiveRoutes routes;
  private final EdgeOptions options;
  private final int listenPort;
  private final Waker waker;
  private final Sites sites;
  private final Handler<HttpServerRequest> control;
  private final AtomicInteger openPort;

  /**
   * @param listenPort negative: any free port, the same for all that are given the same number
   * @param openPort takes the number of the port that is open
   */
  EdgeLoop(
      LiveRoutes routes,
      EdgeOptions options,
      int listenPort,
      Waker waker,
      Sites sites,
      Handler<HttpServerRequest> control,
      AtomicInteger openPort) {
    this.routes = routes;
    this.options = options;
    this.listenPort = listenPort;
    this.waker = waker;
    this.sites = sites;
    this.control = control;
    this.openPort = openPort;
  }

  @Override
  public Future<?> start() {
    var client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(Math.toIntExact(CONNECT_LIMIT.toMillis()))
                .setKeepAliveTimeout(HopHeaders.IDLE_SECONDS)
                .setMaxHeaderSize(MAX_HEAD_BYTES)
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setMaxChunkSize(CHUNK_BYTES),
            new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS_PER_INSTANCE));
    var forwarded = new ForwardedHeaders(options.trustedProxies());
    var ejections = new Ejections(vertx, routes);
    var parts = new EdgeParts(vertx, client, routes, ejections, waker, sites, forwarded, options);
    var limits = new ConnectionLimits(options.headLimit(), options.idleLimit());
    vertx.setPeriodic(CHECK_EVERY.toMillis(), _ -> limits.check());
    return vertx
        .createHttpServer(serverOptions())
        .connectionHandler(connection -> {
          limits.watch(connection);
          // A visitor who leaves is no event; whoever was answering learns of it by itself.
          connection.exceptionHandler(_ -> {});
        })
        .requestHandler(request -> handle(parts, request))
        .invalidRequestHandler(this::refuse)
        .listen(listenPort, options.host())
        .map(HttpServer::actualPort)
        .onSuccess(openPort::set);
  }

  private static HttpServerOptions serverOptions() {
    return new HttpServerOptions()
        .setMaxHeaderSize(MAX_HEAD_BYTES)
        .setMaxInitialLineLength(MAX_LINE_BYTES)
        .setMaxChunkSize(CHUNK_BYTES)
        .setHttp2ClearTextEnabled(false)
        .setPerMessageWebSocketCompressionSupported(false) // The app and the client agree on it.
        .setPerFrameWebSocketCompressionSupported(false);
  }

  /** A head that could not be read; as much of it as came before what was wrong is known. */
  private void refuse(HttpServerRequest request) {
    HostName host = Destination.of(request).host();
    if (host.equals(new HostName.Unnamed())
        || host.equals(new HostName.Name(options.publicHost()))) {
      control.handle(request);
    } else {
      HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
    }
  }

  private void handle(EdgeParts parts, HttpServerRequest request) {
    Destination destination = Destination.of(request);
    switch (destination.host()) {
      case HostName.Malformed() -> Pages.BAD_REQUEST.answer(request);
      case HostName.Unnamed() -> control.handle(request);
      case HostName.Name(String name) -> {
        if (name.equals(options.publicHost())) {
          control.handle(request);
        } else if (routes.table().routes().containsKey(name)) {
          new Visit(parts, Incoming.of(request, destination), name).start();
        } else if (name.endsWith("." + options.appsDomain())) {
          Pages.NO_SUCH_APP.answer(request);
        } else {
          Pages.NOBODY.answer(request);
        }
      }
    }
  }
}
