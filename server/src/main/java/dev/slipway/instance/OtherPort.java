package dev.slipway.instance;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Asks a port that a program opened without having been told to, what it is for. */
final class OtherPort {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final int LEAST_ERROR = 400;

  /** What Prometheus and its like are answered: helpers of a program answer every path so. */
  private static final List<String> METRICS =
      List.of("text/plain; version=", "text/plain;version=", "application/openmetrics-text");

  private OtherPort() {}

  /**
   * Whether one of them answers the path as an application does. Debuggers and the channels of
   * development tools refuse a plain request, metrics are told by their type; a 404 may be
   * anyone's.
   */
  static boolean isApplication(Set<Integer> ports, String path) throws InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(LIMIT)
            .build()) {
      for (int port : ports) {
        if (isApplication(client, port, path)) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isApplication(HttpClient client, int port, String path)
      throws InterruptedException {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .timeout(LIMIT)
              .header("user-agent", "slipway-health-check")
              .build();
      HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
      answer.body().close(); // it may be endless
      String type = answer.headers().firstValue("content-type").orElse("");
      return answer.statusCode() < LEAST_ERROR && METRICS.stream().noneMatch(type::startsWith);
    } catch (IOException | IllegalArgumentException noApplication) {
      return false;
    }
  }
}
