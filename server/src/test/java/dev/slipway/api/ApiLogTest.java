package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Eventually;
import dev.slipway.deployment.Deployment;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.Masker;
import dev.slipway.runlog.RunLogs;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ApiLogTest {
  private static final int MANY = 200_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private final ApiPlace api = new ApiPlace();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Deployment deployment = api.plane.trigger(api.plane.project("shop"), EnvVars.NONE);
  private final String path = "/v1/deployments/" + deployment.id() + "/logs";
  private long before;
  private long most;
  private int nextLook;

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
    try (SentEvents events = follow(Optional.empty())) {
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
    try (SentEvents events = follow(Optional.of("2"))) {
      assertThat(events.next().get("data")).contains("three");
      assertThat(events.next().get("data")).contains("success");
      assertThat(events.next()).containsEntry("event", "end");
    }
    try (SentEvents events = follow(Optional.of("4"))) {
      assertThat(events.next()).containsEntry("event", "end");
      assertThat(events.ended()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "1.5", "9999999999999999999"})
  void anIdThatIsNoneOfTheStreamIsRefused(String id) throws Exception {
    ApiPlace.Reply refused =
        api.send(
            "GET",
            path,
            ApiPlace.authorized(api.key)
                .add("Accept", "text/event-stream")
                .add("Last-Event-ID", id),
            Optional.empty());

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
    assertThat(refused.message()).startsWith("Last-Event-ID: ");
  }

  @Test
  void oneMessageTellsAllFaults() {
    ApiPlace.Reply refused =
        api.send(
            "GET",
            path + "?after=-1&streams=x",
            ApiPlace.authorized(api.key)
                .add("Accept", "text/event-stream")
                .add("Last-Event-ID", "x"),
            Optional.empty());

    assertThat(refused.message()).contains("after: ", "streams: ", "Last-Event-ID: ");
  }

  @Test
  void theWholeLogSaysNothingOfPages() {
    assertThat(api.get(path).data().has("next_after")).isFalse();
  }

  @Test
  void thePagesTogetherAreTheWholeLogAndAnEmptyOneIsTheLastForNow() {
    for (int i = 2; i <= 10; i++) {
      write("line " + i);
    }
    List<String> whole = messages(api.get(path).data());

    assertThat(paged(4)).isEqualTo(whole).hasSize(10);
    JsonNode end = api.get(path + "?after=10&limit=4").data();
    assertThat(end.get("logs")).isEmpty();
    assertThat(end.get("next_after").asLong()).isEqualTo(10);
    write("line 11");
    assertThat(messages(api.get(path + "?after=10&limit=4").data())).containsExactly("line 11");
    assertThat(messages(api.get(path + "?after=8").data()))
        .as("without a limit all that is left")
        .containsExactly("line 9", "line 10", "line 11");
    assertThat(messages(api.get(path + "?limit=2").data())).isEqualTo(whole.subList(0, 2));
    assertThat(messages(api.get(path + "?after=999999999").data())).isEmpty();
  }

  @Test
  void whatWasLeftOutOfALongLogIsOneEntryInAllWaysToReadIt() throws Exception {
    try (RunLogs.OpenLog open = api.plane.logs.open(deployment.logId(), new Masker(List.of()))) {
      IntStream.range(0, 3_000).forEach(i -> open.log().info("x".repeat(1_000) + i));
    }
    List<String> whole = messages(api.get(path).data());

    assertThat(whole).filteredOn(line -> line.contains("left out")).hasSize(1);
    assertThat(paged(300)).isEqualTo(whole);
    end();
    List<String> followed = new ArrayList<>();
    try (SentEvents events = follow(Optional.empty())) {
      for (var event = events.next(); event.containsValue("log"); event = events.next()) {
        followed.add(event.get("id") + " " + JSON.readTree(event.get("data")).get("message"));
      }
    }
    assertThat(followed).hasSize(whole.size() + 1);
    int mark =
        IntStream.range(0, followed.size())
            .filter(i -> followed.get(i).contains("left out"))
            .findFirst()
            .orElseThrow();
    String id = followed.get(mark).split(" ", 2)[0];
    try (SentEvents events = follow(Optional.of(id))) {
      assertThat(events.next().get("id")).isEqualTo(Long.toString(Long.parseLong(id) + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "after=-1",
        "after=x",
        "after=1.5",
        "limit=0",
        "limit=10001",
        "limit=",
        "after=1&after=2",
        "offset=1"
      })
  void aPageThatCannotBeIsRefused(String query) {
    assertThat(api.get(path + "?" + query).code()).isEqualTo("invalid_request");
  }

  @Test
  void whoTakesNeitherJsonNorEventsGetsJson() throws Exception {
    HttpRequest request = request(Map.of("Accept", "text/html, image/*;q=0.5"));
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(answer.headers().allValues("Vary")).contains("Accept");
  }

  @Test
  void aMigrationsLogIsItsFirstDeploymentsAndIsPagedAlike() {
    JsonNode made =
        api.post("/v1/migrations", "{\"source\": \"github\", \"repo\": \"acme/blog\"}").data();
    String uri = "/v1/migrations/" + made.get("id").asText() + "/logs";
    api.plane.main.jobs.runDue();

    List<String> whole = messages(api.get(uri).data());
    assertThat(messages(api.get(uri + "?after=1&limit=2").data())).isEqualTo(whole.subList(1, 3));
  }

  @Test
  void aReaderThatGoesAwayLeavesNothingBehind() throws Exception {
    List<Socket> readers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      readers.add(socketThatFollows());
    }
    Eventually.holds("all follow", () -> api.plane.logs.followers() == 5);

    for (Socket reader : readers) {
      reader.close();
    }

    Eventually.holds("nobody follows", () -> api.plane.logs.followers() == 0);
  }

  @Test
  void aReaderThatDoesNotReadHoldsUpNobodyElse() throws Exception {
    fill(MANY);
    try (Socket _ = socketThatFollows()) {
      Eventually.holds("it is being answered", () -> api.plane.logs.followers() == 1);
      assertThat(read(request(Map.of()), () -> {})).isGreaterThan(MANY * 250L);
      assertThat(api.plane.logs.followers()).as("the one that is stuck").isEqualTo(1);
    }
    Eventually.holds("nobody follows", () -> api.plane.logs.followers() == 0);
  }

  @Test
  void aLogOfTwoHundredThousandLinesIsAnsweredWithoutHoldingIt() throws Exception {
    fill(MANY);
    end();

    assertFlat("whole", () -> read(request(Map.of()), this::look));
    assertFlat("followed", () -> read(request(Map.of("Accept", "text/event-stream")), this::look));
    assertFlat(
        "paged",
        () -> {
          long bytes = 0;
          for (int after = 0; after < MANY; after += 10_000) {
            HttpRequest page = request("?limit=10000&after=" + after, Map.of());
            bytes += read(page, this::look);
          }
          return bytes;
        });
  }

  private void assertFlat(String what, Callable<Long> reading) throws Exception {
    before = usedAfterCollection();
    most = before;
    nextLook = 0;
    long bytes = reading.call();
    assertThat(bytes).as(what).isGreaterThan(MANY * 250L);
    assertThat(most - before)
        .as("bytes of heap, %s, of an answer of %d", what, bytes)
        .isLessThan(16 << 20);
  }

  /** At every sixth MiB or so that is read. */
  private void look() {
    if (nextLook++ % 100 == 99) {
      most = Math.max(most, usedAfterCollection());
    }
  }

  private long read(HttpRequest request, Runnable each) throws Exception {
    long bytes = 0;
    byte[] piece = new byte[64 << 10];
    try (InputStream body = http.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
      for (int read = body.readNBytes(piece, 0, piece.length);
          read > 0;
          read = body.readNBytes(piece, 0, piece.length)) {
        bytes += read;
        each.run();
      }
    }
    return bytes;
  }

  /** So many lines, past the cap: it is the reading that counts here. */
  private void fill(int lines) {
    api.plane.database.useTransaction(tx -> {
      tx.execute(
          "INSERT INTO run_log_entry SELECT ?, i, now(), 'INFO', 'line ' || i || repeat('.', 200)"
              + " FROM generate_series(2, ?) i",
          deployment.logId(),
          lines);
      tx.execute("UPDATE run_log SET last_seq = ? WHERE id = ?", lines, deployment.logId());
    });
  }

  private List<String> paged(int limit) {
    List<String> all = new ArrayList<>();
    long after = 0;
    JsonNode page;
    do {
      page = api.get(path + "?limit=" + limit + "&after=" + after).data();
      assertThat(page.get("logs").size()).isLessThanOrEqualTo(limit);
      all.addAll(messages(page));
      after = page.get("next_after").asLong();
    } while (!page.get("logs").isEmpty());
    return all;
  }

  private static List<String> messages(JsonNode data) {
    return data.get("logs").findValuesAsText("message");
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
    Map<String, String> headers = new HashMap<>(Map.of("Accept", "text/event-stream"));
    lastEventId.ifPresent(id -> headers.put("Last-Event-ID", id));
    return request(headers);
  }

  private HttpRequest request(Map<String, String> headers) {
    return request("", headers);
  }

  private HttpRequest request(String query, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path + query))
            .header("Authorization", "Bearer " + api.key);
    headers.forEach(request::header);
    return request.build();
  }

  /** A client of the log that reads nothing; closed, it is gone at once. */
  private Socket socketThatFollows() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n"
                .formatted(path, api.key)
                .getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private SentEvents follow(Optional<String> lastEventId) throws IOException, InterruptedException {
    return SentEvents.of(http, request(lastEventId));
  }
}
