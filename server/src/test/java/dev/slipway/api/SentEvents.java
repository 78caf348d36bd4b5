package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The events of a stream, one after the other. */
record SentEvents(BufferedReader lines) implements AutoCloseable {
  static SentEvents of(HttpClient http, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
    return new SentEvents(
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
  }

  /** Comments, which keep a connection alive, are passed over. */
  Map<String, String> next() throws IOException {
    Map<String, String> event = new HashMap<>();
    for (String line = lines.readLine();
        line != null && !(line.isEmpty() && !event.isEmpty());
        line = lines.readLine()) {
      int colon = line.indexOf(": ");
      if (colon > 0) {
        event.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    return event;
  }

  boolean ended() throws IOException {
    return lines.readLine() == null;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
