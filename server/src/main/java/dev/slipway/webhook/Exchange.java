package dev.slipway.webhook;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One POST and its answer, over a connection of its own. Once there is a status the answer counts:
 * of a body that is too long, or does not end, the beginning is taken. All on the event loop of its
 * context.
 */
final class Exchange {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final int MOST_READ = 16 << 10;
  private static final int KEPT = 1 << 10;

  private final Vertx vertx;
  private final HttpClient client;
  private final URI url;
  private final Map<String, String> headers;
  private final String body;
  private final List<InetAddress> addresses;
  private final Context context;
  private final CompletableFuture<Attempt.Answer> result = new CompletableFuture<>();

  private final Buffer beginning = Buffer.buffer();
  private Optional<HttpClientRequest> request = Optional.empty();
  private Optional<HttpClientResponse> response = Optional.empty();
  private int read;
  private long timer;

  /**
   * @param addresses tried one after the other until one is connected
   */
  Exchange(
      Vertx vertx,
      HttpClient client,
      URI url,
      Map<String, String> headers,
      String body,
      List<InetAddress> addresses) {
    this.vertx = vertx;
    this.client = client;
    this.url = url;
    this.headers = headers;
    this.body = body;
    this.addresses = addresses;
    this.context = vertx.getOrCreateContext();
  }

  /**
   * Begins.
   *
   * @param limit for all of it
   * @return fails with what Vert.x says, or a {@link TimeLimit}
   */
  CompletableFuture<Attempt.Answer> start(Duration limit) {
    context.runOnContext(_ -> {
      timer = vertx.setTimer(Math.max(1, limit.toMillis()), _ -> fail(new TimeLimit()));
      connect(0);
    });
    return result;
  }

  /** The time is over and there is no status. */
  static final class TimeLimit extends Exception {}

  private void connect(int index) {
    boolean tls = url.getScheme().toLowerCase(Locale.ROOT).equals("https");
    int port = url.getPort() > 0 ? url.getPort() : tls ? 443 : 80;
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(
                    SocketAddress.inetSocketAddress(port, addresses.get(index).getHostAddress()))
                .setHost(EndpointUrl.bare(url.getHost()))
                .setPort(port)
                .setSsl(tls)
                .setURI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery())
                .setConnectTimeout(CONNECT_LIMIT.toMillis()))
        .onComplete(this::send, cause -> unconnected(index, cause));
  }

  private void unconnected(int index, Throwable cause) {
    if (!result.isDone() && index + 1 < addresses.size()) {
      connect(index + 1);
    } else {
      fail(cause);
    }
  }

  private void send(HttpClientRequest connected) {
    connected.exceptionHandler(_ -> {}); // The future of the response tells the same.
    if (result.isDone()) {
      connected.connection().close();
      return;
    }
    request = Optional.of(connected);
    connected.connection().exceptionHandler(_ -> {}); // Which would log what strangers send.
    headers.forEach((name, value) -> connected.headers().set(name, value));
    connected.send(Buffer.buffer(body)).onComplete(this::answered, this::fail);
  }

  private void answered(HttpClientResponse answer) {
    response = Optional.of(answer);
    answer
        .exceptionHandler(this::fail)
        .handler(piece -> take(answer, piece))
        .endHandler(_ -> finish(answer));
  }

  private void take(HttpClientResponse answer, Buffer piece) {
    beginning.appendBuffer(piece, 0, Math.min(piece.length(), KEPT - beginning.length()));
    read += piece.length();
    if (read >= MOST_READ) {
      finish(answer);
    }
  }

  /** Which is no failure where a status has come. */
  private void fail(Throwable cause) {
    response.ifPresentOrElse(
        this::finish,
        () -> {
          if (result.completeExceptionally(cause)) {
            letGo();
          }
        });
  }

  private void finish(HttpClientResponse answer) {
    if (!result.isDone()) {
      result.complete(kept(answer));
      letGo();
    }
  }

  private void letGo() {
    vertx.cancelTimer(timer);
    request.ifPresent(HttpClientRequest::reset); // which ends the connection
  }

  private Attempt.Answer kept(HttpClientResponse answer) {
    Map<String, String> kept = new LinkedHashMap<>();
    answer
        .headers()
        .forEach((name, value) ->
            kept.merge(
                storable(name.toLowerCase(Locale.ROOT)),
                storable(value),
                (first, second) -> first + ", " + second));
    return new Attempt.Answer(answer.statusCode(), kept, storable(beginning.toString()));
  }

  /** The store takes no NUL in a text. */
  private static String storable(String text) {
    return text.replace('\0', '\uFFFD');
  }
}
