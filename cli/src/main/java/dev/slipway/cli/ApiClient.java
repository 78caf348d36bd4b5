package dev.slipway.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Speaks to a server's API on this machine. */
final class ApiClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  static {
    // Read once, when the client's classes are loaded: visit() asks this machine for any host.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI base;
  private final String key;

  ApiClient(int port, String key) {
    this.base = URI.create("http://127.0.0.1:" + port);
    this.key = key;
  }

  /** The answer's body as JSON. */
  JsonNode get(String path) throws IOException {
    return send(HttpRequest.newBuilder(base.resolve(path)).GET());
  }

  JsonNode post(String path, Map<String, ?> body) throws IOException {
    return send(
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException {
    HttpResponse<String> response =
        exchange(request.header("Authorization", "Bearer " + key).timeout(TIMEOUT).build());
    JsonNode json = JSON.readTree(response.body());
    if (response.statusCode() >= 400) {
      throw new CommandException(json.at("/error/message").asText(response.body()));
    }
    return json;
  }

  /**
   * What an application answers at its address. The connection is made to this machine whatever the
   * name is: not every resolver knows the names below localhost.
   */
  HttpResponse<String> visit(URI address) throws IOException {
    return exchange(
        HttpRequest.newBuilder(base.resolve("/"))
            .header("Host", address.getAuthority())
            .timeout(TIMEOUT)
            .build());
  }

  private HttpResponse<String> exchange(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
