package dev.slipway.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A receiver of webhooks that takes all of them, and answers what should not get into a page. */
final class HostileEndpoint implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> ids = new CopyOnWriteArrayList<>();
  private final String answer;

  private HostileEndpoint(HttpServer server, String answer) {
    this.server = server;
    this.answer = answer;
  }

  /**
   * @param answer stands in a header too
   */
  static HostileEndpoint start(String answer) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    HostileEndpoint endpoint = new HostileEndpoint(http, answer);
    http.setExecutor(endpoint.threads);
    http.createContext("/", endpoint::take);
    http.start();
    return endpoint;
  }

  String url() {
    return "http://127.0.0.1:%d/hook".formatted(server.getAddress().getPort());
  }

  /** Each {@code webhook-id} that came, as often as it did. */
  List<String> ids() {
    return List.copyOf(ids);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      ids.add(exchange.getRequestHeaders().getFirst("webhook-id"));
      exchange.getResponseHeaders().set("X-Answer", answer);
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
