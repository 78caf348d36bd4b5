package dev.slipway.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.Server;
import dev.slipway.config.ServerConfig;
import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A server in this process, to whose store events are written as if they had happened. */
final class EventServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEY = "bench-0123456789-0123456789-0123456789";

  /** Of as many resources as one event in ten. */
  private static final String EVENTS =
      """
      INSERT INTO event (id, account_id, project_id, type, resource, sequence, body, at)
      SELECT 'evt_' || ? || lpad(i::text, 22, '0'), a.id, 'prj_bench', 'DEPLOYMENT_LIVE',
             'dep_' || ? || i % (? / 10), i / (? / 10) + 1,
             format('{"type":"deployment.live","sequence":%s,"data":{"id":"%s"}}',
                    i, repeat('x', 1000)),
             now()
        FROM generate_series(0, ? - 1) i, account a
      """;

  private final EmbeddedPostgres postgres;
  private final Server server;
  private final String base;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  EventServer(Path directory) throws IOException {
    this.postgres = EmbeddedPostgres.start(PostgresSettings.below(directory.resolve("store")));
    int port = FreePort.find();
    this.base = "http://127.0.0.1:" + port + "/v1/";
    Map<String, String> settings =
        new HashMap<>(BenchSettings.of(directory.resolve("data"), port, KEY, "folder", directory));
    settings.put("SLIPWAY_WEBHOOKS", "{allow_private_targets: true}");
    settings.put(
        "SLIPWAY_STORE",
        "{url: \"%s\", user: \"%s\", password: \"%s\"}"
            .formatted(
                postgres.address().jdbcUrl(),
                postgres.address().user(),
                postgres.address().password().reveal()));
    this.server =
        Server.start(ServerConfig.load(Optional.empty(), settings), System.getenv(), _ -> {});
  }

  /** Answers the id of the webhook. */
  String addWebhook(String url) throws IOException, InterruptedException {
    return send(request("webhooks")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"url\": \"%s\"}".formatted(url))))
        .at("/data/id")
        .asText();
  }

  void deleteWebhook(String id) throws IOException, InterruptedException {
    send(request("webhooks/" + id).DELETE());
  }

  /**
   * All at once, in one transaction.
   *
   * @param round other for each call, a digit
   */
  void happen(int events, int round) {
    try (Connection connection = postgres.address().unlimited().getConnection();
        PreparedStatement insert = connection.prepareStatement(EVENTS);
        Statement told = connection.createStatement()) {
      connection.setAutoCommit(false);
      insert.setString(1, Integer.toString(round));
      insert.setString(2, Integer.toString(round));
      insert.setInt(3, events);
      insert.setInt(4, events);
      insert.setInt(5, events);
      insert.executeUpdate();
      told.execute("NOTIFY slipway_events_written");
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException("events could not be written", e);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path)).header("Authorization", "Bearer " + KEY);
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 400) {
      throw new IOException(base + " answered " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  @Override
  public void close() {
    http.close();
    server.closeWithApps();
    postgres.close();
  }
}
