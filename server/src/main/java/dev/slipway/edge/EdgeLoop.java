package dev.slipway.edge;

import dev.slipway.site.Sites;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.KeyCertOptions;
import java.net.BindException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The edge on one event loop: one server, and one client with connections of its own. */
final class EdgeLoop extends VerticleBase {
  private static final Duration CHECK_EVERY = Duration.ofMillis(500);
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final int MAX_HEAD_BYTES = 64 << 10;
  private static final int MAX_LINE_BYTES = 16 << 10;
  private static final int CHUNK_BYTES = 64 << 10;

  // By HTTP/2. The windows are what a client may send ahead of an app that reads slowly.
  private static final int MAX_STREAMS = 128;
  private static final int STREAM_WINDOW_BYTES = 256 << 10;
  private static final int CONNECTION_WINDOW_BYTES = 1 << 20;

  /** Every request under way has one, and event streams and WebSockets keep theirs. */
  private static final int MAX_CONNECTIONS_PER_INSTANCE = 8192;

  private final LiveRoutes routes;
  private final EdgeOptions options;
  private final TlsKeys keys;
  private final Ports ports;
  private final Waker waker;
  private final Sites sites;
  private final Handler<HttpServerRequest> control;
  private final AddressCounts counts;
  private final Refusals refusals;

  /**
   * The ports that all loops share.
   *
   * @param listen negative: any free port, the same for all that are given the same number
   * @param listenSecure the same for the one with TLS, where the options have one
   * @param open takes the number of the port that is open
   */
  record Ports(int listen, int listenSecure, AtomicInteger open, AtomicInteger openSecure) {}

  EdgeLoop(
      LiveRoutes routes,
      EdgeOptions options,
      TlsKeys keys,
      Ports ports,
      Waker waker,
      Sites sites,
      Handler<HttpServerRequest> control,
      AddressCounts counts,
      Refusals refusals) {
    this.routes = routes;
    this.options = options;
    this.keys = keys;
    this.ports = ports;
    this.waker = waker;
    this.sites = sites;
    this.control = control;
    this.counts = counts;
    this.refusals = refusals;
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
    var limits = new ConnectionLimits(options.clients(), counts, refusals, forwarded::trusts);
    vertx.setPeriodic(CHECK_EVERY.toMillis(), _ -> limits.check());
    SecureNames names = new SecureNames(keys, options.https(), forwarded);
    Future<?> plain =
        listen(serverOptions(), ports.listen(), parts, names, limits)
            .onSuccess(ports.open()::set)
            .recover(cause -> taken(options.port(), "http.port", cause));
    return options
        .https()
        .<Future<?>>map(https ->
            plain.compose(_ ->
                listen(secureOptions(), ports.listenSecure(), parts, names, limits)
                    .onSuccess(ports.openSecure()::set)
                    .recover(cause -> taken(https.port(), "https.port", cause))))
        .orElse(plain);
  }

  private Future<Integer> listen(
      HttpServerOptions server,
      int port,
      EdgeParts parts,
      SecureNames names,
      ConnectionLimits limits) {
    return vertx
        .createHttpServer(server)
        .connectionHandler(connection -> {
          StrictRequestDecoder.install(Channels.of(connection), server);
          limits.watch(connection);
          // A visitor who leaves is no event; whoever was answering learns of it by itself.
          connection.exceptionHandler(_ -> {});
        })
        .requestHandler(request -> handle(parts, names, request))
        .invalidRequestHandler(this::refuse)
        .listen(port, options.host())
        .map(HttpServer::actualPort);
  }

  /** With a sentence for the operator. */
  private Future<Integer> taken(int port, String key, Throwable cause) {
    // The native transport has an exception of its own for it, told apart by its text alone.
    boolean isTaken =
        cause instanceof BindException || String.valueOf(cause).contains("Address already in use");
    return Future.failedFuture(
        new IllegalStateException(
            isTaken
                ? "Port %d of %s cannot be opened: another program has it. Set %s to a free one."
                    .formatted(port, options.host(), key)
                : "Port %d of %s cannot be opened: %s".formatted(port, options.host(), cause),
            cause));
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

  private HttpServerOptions secureOptions() {
    return serverOptions()
        .setSsl(true)
        .setKeyCertOptions(KeyCertOptions.wrap(keys))
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"))
        .setUseAlpn(true)
        .setSslHandshakeTimeout(options.clients().head().toMillis())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(MAX_STREAMS)
                .setMaxHeaderListSize(MAX_HEAD_BYTES)
                .setInitialWindowSize(STREAM_WINDOW_BYTES))
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES);
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

  private void handle(EdgeParts parts, SecureNames names, HttpServerRequest request) {
    Destination destination = Destination.of(request);
    if (names.answersChallenge(request, destination)) {
      return;
    }
    switch (destination.host()) {
      case HostName.Malformed() -> Pages.BAD_REQUEST.answer(request);
      case HostName.Unnamed() -> control.handle(request);
      case HostName.Name(String name) -> {
        if (name.equals(options.publicHost())) {
          control.handle(request);
        } else if (routes.table().routes().containsKey(name)) {
          if (!names.redirects(request, destination, name)) {
            names.announce(request, name);
            visit(parts, request, destination, name);
          }
        } else if (name.endsWith("." + options.appsDomain())) {
          Pages.NO_SUCH_APP.answer(request);
        } else {
          Pages.NOBODY.answer(request);
        }
      }
    }
  }

  private void visit(
      EdgeParts parts, HttpServerRequest request, Destination destination, String name) {
    if (request.version() != HttpVersion.HTTP_2) {
      new Visit(parts, Incoming.of(request, destination), name).start();
      return;
    }
    // Whether there is a body is known when this frame has been dealt with, which is after this.
    request.pause();
    context.runOnContext(_ -> {
      Incoming incoming = Incoming.ofHttp2(request, destination);
      if (!incoming.hasBody()) {
        request.resume();
      }
      if (!request.response().closed()) {
        new Visit(parts, incoming, name).start();
      }
    });
  }
}
