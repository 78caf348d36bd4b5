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
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A server in this process whose store is full of deployments and migrations. For one thread. */
final class FilledServer implements AutoCloseable {
  /** Stands in a path for the id of one of the two projects. */
  static final String PROJECT = "PROJECT";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEY = "bench-0123456789-0123456789-0123456789";
  private static final String EMAIL = "owner@localhost";
  private static final String PASSWORD = "bench-0123456789";
  private static final int LARGEST_PAGE = 100;

  private static final String DEPLOYMENTS =
      """
      INSERT INTO deployment (id, account_id, project_id, log_id, trigger, status, branch, region,
                              instance_type, preview_label, env, source_deployment_id, created_at)
      SELECT 'dep_' || lpad(i::text, 26, '0'), account_id, p.id, 'dep_' || i, 'API',
             CASE WHEN i % 10 < 6 THEN 'LIVE' ELSE 'FAILED' END, 'main', 'us-east-1', 'small',
             'bench--' || i, '', 'dep_' || i, now()
        FROM generate_series(1, ?) i JOIN project p ON p.name = 'p' || i / 10 % 2
      """;

  private static final String MIGRATIONS =
      """
      INSERT INTO migration (id, account_id, project_id, log_id, status, created_at)
      SELECT 'mig_' || lpad(i::text, 26, '0'), account_id, p.id, 'mig_' || i,
             CASE WHEN i % 10 < 6 THEN 'COMPLETE' ELSE 'FAILED' END, now()
        FROM generate_series(1, ?) i JOIN project p ON p.name = 'p' || i / 10 % 2
      """;

  private final EmbeddedPostgres postgres;
  private final Server server;
  private final String base;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private String project = "";

  private FilledServer(EmbeddedPostgres postgres, Path directory) throws IOException {
    this.postgres = postgres;
    int port = FreePort.find();
    this.base = "http://127.0.0.1:" + port + "/v1/";
    Map<String, String> settings =
        new HashMap<>(BenchSettings.of(directory, port, KEY, "folder", directory));
    settings.put("SLIPWAY_BOOTSTRAP_EMAIL", EMAIL);
    settings.put("SLIPWAY_BOOTSTRAP_PASSWORD", PASSWORD);
    settings.put(
        "SLIPWAY_STORE",
        "{url: \"%s\", user: \"%s\", password: \"%s\"}"
            .formatted(
                postgres.address().jdbcUrl(),
                postgres.address().user(),
                postgres.address().password().reveal()));
    this.server =
        Server.start(ServerConfig.load(Optional.empty(), settings), System.getenv(), line -> {});
  }

  /** With so many deployments, and so many migrations, of two projects. */
  static FilledServer start(Path directory, int records) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    EmbeddedPostgres postgres =
        EmbeddedPostgres.start(PostgresSettings.below(directory.resolve("store")));
    FilledServer filled = new FilledServer(postgres, directory);
    filled.fill(records);
    return filled;
  }

  private void fill(int records) throws IOException, InterruptedException {
    // Projects come from the API, as their variables are sealed; what they deploy does not exist.
    for (String name : new String[] {"p0", "p1"}) {
      String body =
          "{\"source\": \"folder\", \"repo\": \"none/none\", \"project_name\": \"%s\"}"
              .formatted(name);
      JsonNode made =
          send(
              request("migrations")
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build());
      project = made.at("/data/project_id").asText();
    }
    try (Connection connection = postgres.address().unlimited().getConnection()) {
      insert(connection, DEPLOYMENTS, records);
      insert(connection, MIGRATIONS, records);
      try (Statement statement = connection.createStatement()) {
        statement.execute("VACUUM ANALYZE");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the store could not be filled", e);
    }
  }

  private static void insert(Connection connection, String sql, int records) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, records);
      statement.executeUpdate();
    }
  }

  /** The cursor behind so many records of a list. */
  String cursorOf(String list, int records) throws IOException, InterruptedException {
    String cursor = "";
    for (int read = 0; read < records; read += LARGEST_PAGE) {
      cursor =
          send(page(list + "&limit=" + LARGEST_PAGE + cursor(cursor)))
              .at("/pagination/next_cursor")
              .asText();
    }
    return cursor;
  }

  /** How long a page takes, from the request to the last byte of its answer. */
  Duration page(String list, String cursor) throws IOException, InterruptedException {
    HttpRequest request = page(list + cursor(cursor));
    long begin = System.nanoTime();
    HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    if (answer.statusCode() != 200) {
      throw new IOException(request.uri() + " answered " + answer.statusCode());
    }
    return took;
  }

  /**
   * Signs in to the dashboard.
   *
   * @return the cookie with which {@link #look} does so
   */
  String signIn() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(dashboard("sign-in"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "email=%s&password=%s".formatted(EMAIL.replace("@", "%40"), PASSWORD)))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    return answer
        .headers()
        .firstValue("Set-Cookie")
        .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
        .orElseThrow(() -> new IOException("signing in answered " + answer.statusCode()));
  }

  /** How long a page of the dashboard takes, and how large it is. */
  Looked look(String path, String cookie) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(dashboard(path.replace(PROJECT, project)))
            .header("Cookie", cookie)
            .build();
    long begin = System.nanoTime();
    HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    if (answer.statusCode() != 200) {
      throw new IOException(request.uri() + " answered " + answer.statusCode());
    }
    return new Looked(took, answer.body().length);
  }

  /** A page as it came. */
  record Looked(Duration took, int bytes) {}

  private URI dashboard(String path) {
    return URI.create(base.replaceAll("/v1/$", "/dashboard/") + path);
  }

  private static String cursor(String cursor) {
    return cursor.isEmpty() ? "" : "&cursor=" + cursor;
  }

  private HttpRequest page(String list) {
    return request(list.replace(PROJECT, project)).GET().build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path)).header("Authorization", "Bearer " + KEY);
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 400) {
      throw new IOException(request.uri() + " answered " + answer.body());
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
