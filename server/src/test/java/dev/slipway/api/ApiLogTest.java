package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.EnvVars;
import dev.slipway.deployment.Deployment;
import dev.slipway.runlog.LogLevel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ApiLogTest {
  private static final int MANY = 100_000;
  private final ApiPlace api = new ApiPlace();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Deployment deployment = api.plane.trigger(api.plane.project("shop"), EnvVars.NONE);
  private final String path = "/v1/deployments/" + deployment.id() + "/logs";

  @AfterEach
  void close() {
    http.close();
    api.close();
  }

  @Test
  void aLogIsAnsweredInItsOrder() {
    write("two");
    api.plane.clock.advance(Duration.ofHours(-1));
    write("three \"quoted\" \u00e4");

    JsonNode logs = api.get(path).data().get("logs");
    assertThat(logs.findValuesAsText("message"))
        .containsExactly(
            "Deployment " + deployment.id() + " is queued.", "two", "three \"quoted\" \u00e4");
    assertThat(logs.findValuesAsText("timestamp")).isSorted();
    assertThat(logs.findValuesAsText("level")).containsOnly("info");
  }

  @Test
  void anEmptyLogIsAnEmptyList() {
    api.plane.database.useTransaction(tx -> tx.execute("DELETE FROM run_log_entry"));

    assertThat(api.get(path).data().get("logs")).isEmpty();
  }

  @Test
  void aFollowerSeesEntriesAsTheyComeAndTheEnd() throws Exception {
    try (Events events = follow(Optional.empty())) {
      assertThat(events.next()).containsEntry("id", "1").containsEntry("event", "log");
      write("later");
      assertThat(events.next().get("data")).contains("\"message\":\"later\"");
      end();
      assertThat(events.next().get("data")).contains("\"level\":\"success\"");
      assertThat(events.next()).containsEntry("event", "end");
      assertThat(events.ended()).isTrue();
    }
  }

  @Test
  void aFollowerThatComesBackGoesOnWhereItWas() throws Exception {
    write("two");
    write("three");
    end();
    try (Events events = follow(Optional.of("2"))) {
      assertThat(events.next().get("data")).contains("three");
      assertThat(events.next().get("data")).contains("success");
      assertThat(events.next()).containsEntry("event", "end");
    }
    try (Events events = follow(Optional.of("4"))) {
      assertThat(events.next()).containsEntry("event", "end");
      assertThat(events.ended()).isTrue();
    }
  }

  @Test
  void anIdThatIsNoneOfTheStreamIsRefused() throws Exception {
    HttpResponse<String> refused =
        http.send(request(Optional.of("x")), HttpResponse.BodyHandlers.ofString());

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("Last-Event-ID: ").contains("invalid_request");
  }

  @Test
  void aLogOfAHundredThousandLinesIsAnsweredWithoutHoldingIt() throws Exception {
    api.plane.database.useTransaction(tx ->
        tx.execute(
            "INSERT INTO run_log_entry SELECT ?, i, now(), 'INFO', 'line ' || i || repeat('.', 200)"
                + " FROM generate_series(2, ?) i",
            deployment.logId(),
            MANY));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
            .header("Authorization", "Bearer " + api.key)
            .build();
    long before = usedAfterCollection();
    long most = 0;
    long bytes = 0;
    byte[] piece = new byte[64 << 10];
    long nextLook = 1 << 20;
    try (InputStream body = http.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
      for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
        bytes += read;
        if (bytes > nextLook) {
          most = Math.max(most, usedAfterCollection());
          nextLook += 6 << 20;
        }
      }
    }

    assertThat(bytes).isGreaterThan(MANY * 250L);
    assertThat(most - before).as("bytes of heap, of an answer of " + bytes).isLessThan(10 << 20);
  }

  private static long usedAfterCollection() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private void write(String message) {
    api.plane.database.useTransaction(
        tx -> api.plane.logs.append(tx, deployment.logId(), LogLevel.INFO, message));
  }

  private void end() {
    api.plane.database.useTransaction(tx -> {
      api.plane.logs.append(tx, deployment.logId(), LogLevel.SUCCESS, "live");
      api.plane.logs.close(tx, deployment.logId());
    });
  }

  private HttpRequest request(Optional<String> lastEventId) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
            .header("Authorization", "Bearer " + api.key)
            .header("Accept", "text/event-stream");
    lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
    return request.build();
  }

  private Events follow(Optional<String> lastEventId) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        http.send(request(lastEventId), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
    return new Events(
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
  }

  /** The events of a stream, one after the other. */
  private record Events(BufferedReader lines) implements AutoCloseable {
    Map<String, String> next() throws IOException {
      Map<String, String> event = new HashMap<>();
      for (String line = lines.readLine();
          line != null && !line.isEmpty();
          line = lines.readLine()) {
        int colon = line.indexOf(": ");
        event.put(line.substring(0, colon), line.substring(colon + 2));
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
}
