package dev.slipway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A receiver of webhooks that keeps what it was sent. */
final class Endpoint implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Message> messages = new CopyOnWriteArrayList<>();

  /**
   * What came.
   *
   * @param headers by name in lower case
   */
  record Message(Map<String, String> headers, String body) {
    String id() {
      return headers.getOrDefault("webhook-id", "");
    }

    JsonNode json() {
      return Api.parse(body);
    }
  }

  private Endpoint(HttpServer server) {
    this.server = server;
  }

  static Endpoint start() throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Endpoint endpoint = new Endpoint(http);
    http.setExecutor(endpoint.threads);
    http.createContext("/", endpoint::answer);
    http.start();
    return endpoint;
  }

  String url() {
    return "http://127.0.0.1:%d/hook".formatted(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) ->
              headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
      messages.add(new Message(headers, body));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  /** In the order in which they came. */
  List<Message> messages() {
    return List.copyOf(messages);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
