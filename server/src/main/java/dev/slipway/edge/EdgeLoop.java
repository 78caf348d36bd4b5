package dev.slipway.edge;

import dev.slipway.site.Sites;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private static final int MAX_FORM_FIELD_BYTES = 2 << 20;
  private static final int MAX_FORM_FIELDS = 5_000;

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
  private final ControlPlane control;
  private final ForwardedHeaders forwarded;
  private final Journal journal;
  private final List<HttpServer> servers = new ArrayList<>();
  private final Entrance entrance;

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
      ControlPlane control,
      Entrance entrance,
      EdgeRecords records) {
    this.routes = routes;
    this.options = options;
    this.keys = keys;
    this.ports = ports;
    this.waker = waker;
    this.sites = sites;
    this.control = control;
    this.journal = new Journal(records, new ClientAddress(options.trustedProxies()));
    this.forwarded = new ForwardedHeaders(options.trustedProxies());
    this.entrance = entrance;
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
    var ejections = new Ejections(vertx, routes, options.answerPatience());
    var parts = new EdgeParts(vertx, client, routes, ejections, waker, sites, forwarded, options);
    var limits = limits();
    vertx.setPeriodic(
        CHECK_EVERY.toMillis(),
        _ -> {
          limits.check();
          journal.flush();
        });
    SecureNames names = new SecureNames(keys, options.https(), forwarded);
    Handler<HttpServerRequest> api = api(parts);
    Future<?> plain =
        listen(serverOptions(), at(ports.listen()), request -> handle(parts, api, names, request))
            .compose(server -> guarded(server, true))
            .onSuccess(ports.open()::set)
            .recover(cause -> taken(options.port(), "http.port", cause));
    return options
        .https()
        .<Future<?>>map(https ->
            plain.compose(_ ->
                listen(
                        secureOptions(),
                        at(ports.listenSecure()),
                        request -> handle(parts, api, names, request))
                    .compose(server -> guarded(server, false))
                    .onSuccess(ports.openSecure()::set)
                    .recover(cause -> taken(https.port(), "https.port", cause))))
        .orElse(plain)
        .compose(_ -> listenForEdge(api));
  }

  private ConnectionLimits limits() {
    return entrance.limits(((ContextInternal) context).nettyEventLoop());
  }

  /** Its port, when the entrance stands there. */
  private Future<Integer> guarded(HttpServer server, boolean choice) {
    int port = server.actualPort();
    return entrance.guard(Channels.accepting(vertx, port), choice).map(port);
  }

  private SocketAddress at(int port) {
    return port < 0
        ? SocketAddress.sharedRandomPort(-port, options.host())
        : SocketAddress.inetSocketAddress(port, options.host());
  }

  private Handler<HttpServerRequest> api(EdgeParts apps) {
    return switch (control) {
      case ControlPlane.Here here -> here.requests();
      case ControlPlane.Apart apart -> {
        EdgeParts parts = apart.parts(apps);
        yield request -> visit(parts, request, Destination.of(request), ControlPlane.NAME);
      }
    };
  }

  /** Where an edge that is another process asks this one. */
  private Future<?> listenForEdge(Handler<HttpServerRequest> api) {
    return options
        .controlSocket()
        .<Future<?>>map(socket ->
            listen(
                serverOptions().setHttp2ClearTextEnabled(false),
                SocketAddress.domainSocketAddress(socket.toString()),
                api))
        .orElse(Future.succeededFuture());
  }

  private Future<HttpServer> listen(
      HttpServerOptions server, SocketAddress address, Handler<HttpServerRequest> handler) {
    return vertx
        .createHttpServer(server)
        .connectionHandler(connection -> {
          StrictRequestDecoder.install(Channels.of(connection), server);
          // A visitor who leaves is no event; whoever was answering learns of it by itself.
          connection.exceptionHandler(_ -> {});
          limits().watch(connection, journal);
        })
        .requestHandler(
            request -> Faults.<HttpServerRequest>guarded(request, handler).handle(request))
        .invalidRequestHandler(this::refuse)
        .listen(address)
        .onSuccess(servers::add);
  }

  /**
   * Has all clients go elsewhere; completes when none is left. A handshake of TLS that is under way
   * is not seen yet, therefore the first look is later.
   */
  Future<Void> leave() {
    Promise<Void> left = Promise.promise();
    context.runOnContext(_ -> {
      ConnectionLimits limits = limits();
      limits.leave();
      vertx.setPeriodic(
          2 * CHECK_EVERY.toMillis(),
          CHECK_EVERY.toMillis(),
          look -> {
            if (limits.isEmpty() && vertx.cancelTimer(look)) {
              left.complete();
            }
          });
    });
    return left.future();
  }

  @Override
  public Future<?> stop() {
    // What ends with its connection has its line too.
    return Future.join(servers.stream().map(HttpServer::close).toList())
        .onComplete(_ -> journal.flush());
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
        // Of the dashboard, which bounds the whole of a form: one field of many lines, or many
        // fields.
        .setMaxFormAttributeSize(MAX_FORM_FIELD_BYTES)
        .setMaxFormFields(MAX_FORM_FIELDS)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(MAX_STREAMS)
                .setMaxHeaderListSize(MAX_HEAD_BYTES)
                .setInitialWindowSize(STREAM_WINDOW_BYTES))
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
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
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
  }

  /** A head that could not be read; as much of it as came before what was wrong is known. */
  private void refuse(HttpServerRequest request) {
    Destination destination = Destination.of(request);
    HostName host = destination.host();
    Exchange exchange = journal.begin(request, destination);
    ConnectionEnd end = ConnectionEnd.of(request);
    if (end != null) {
      exchange.because(end.why());
    }
    boolean toApi =
        host.equals(new HostName.Unnamed()) || host.equals(new HostName.Name(options.publicHost()));
    if (toApi && control instanceof ControlPlane.Here(Handler<HttpServerRequest> requests)) {
      requests.handle(request);
    } else {
      HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
    }
  }

  private void handle(
      EdgeParts parts,
      Handler<HttpServerRequest> api,
      SecureNames names,
      HttpServerRequest request) {
    Destination destination = Destination.of(request);
    Exchange exchange = journal.begin(request, destination);
    if (names.answersChallenge(request, destination)) {
      return;
    }
    switch (destination.host()) {
      case HostName.Malformed() -> {
        entrance.refused(Refusal.NAME_MALFORMED, Channels.of(request.connection()));
        Pages.BAD_REQUEST.answer(request);
      }
      case HostName.Unnamed() -> control(api, request, exchange);
      case HostName.Name(String name) -> {
        Route route = routes.table().routes().get(name);
        if (name.equals(options.publicHost())) {
          control(api, request, exchange);
        } else if (route != null) {
          exchange.routed(route);
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

  private void control(
      Handler<HttpServerRequest> api, HttpServerRequest request, Exchange exchange) {
    exchange.isFor(journal.api());
    api.handle(request);
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
      if (request.response().closed()) {
        return;
      }
      Incoming incoming = Incoming.ofHttp2(request, destination);
      if (!incoming.hasBody()) {
        request.resume();
      }
      new Visit(parts, incoming, name).start();
    });
  }
}
