package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Applications with databases on a MariaDB of the operator's, with a real driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MysqlTest {
  private static final Map<String, String> CREATE = Map.of("type", "mysql", "action", "create");

  private final Mariadb mariadb = Mariadb.start();
  private final SlipwayProcess slipway = SlipwayProcess.start(_ -> mariadb.section());

  @AfterAll
  void end() {
    slipway.close();
    mariadb.close();
  }

  @Test
  void aDatabaseIsMadeRotatedDroppedAndRestored() {
    App app = migrated(CREATE);
    assertThat(app.first().log())
        .contains(
            "DATABASE_URL, MYSQL_DATABASE, MYSQL_HOST, MYSQL_PASSWORD, MYSQL_PORT, MYSQL_USER")
        .as("its build logs in and tells nothing")
        .contains("made the table as [masked]");
    assertThat(get(app, "/place")).isEqualTo("127.0.0.1:" + mariadb.port());
    assertThat(get(app, "/add?text=chair")).isEqualTo("added");
    assertThat(get(app, "/")).isEqualTo("chair");

    String before = get(app, "/url");
    Database database = Database.of(app);
    Load load = Load.on(app, 2);
    try (load) {
      database.rotate();
    }
    String after = get(app, "/url");
    assertThat(load.failures()).isEmpty();
    assertThat(after).isNotEqualTo(before);
    assertThat(logIn(app, after)).isEqualTo("connected");
    assertThat(logIn(app, before)).contains("Access denied");
    assertThat(get(app, "/add?text=lamp")).as("its procedure").isEqualTo("added");
    assertThat(get(app, "/")).as("its view").isEqualTo("chair lamp");

    String backup = database.backUp();
    get(app, "/add?text=table");
    database.restore(backup);
    assertThat(get(app, "/")).isEqualTo("chair lamp");
    database.drop();
    assertThat(app.deploy().awaitFailed().errorCode()).isEqualTo("database_unreachable");
    database.restore(backup);
    app.deploy().awaitLive();
    assertThat(get(app, "/add?text=rug")).isEqualTo("added");
    assertThat(get(app, "/")).isEqualTo("chair lamp rug");
  }

  @Test
  void aDatabaseIsCopiedOrConnectedByItsAddress() {
    App first = migrated(CREATE);
    get(first, "/add?text=chair");
    URI url = URI.create(get(first, "/url"));
    String[] login = url.getUserInfo().split(":", 2);
    String address =
        "mariadb://%s@127.0.0.1:%d%s".formatted(login[0], url.getPort(), url.getPath());

    App copied =
        migrated(
            Map.of(
                "type",
                "mysql",
                "action",
                "create",
                "import_from",
                address,
                "import_key",
                login[1]));
    assertThat(get(copied, "/")).isEqualTo("chair");
    get(copied, "/add?text=lamp");
    assertThat(get(first, "/")).isEqualTo("chair");
    assertThat(copied.first().log()).contains("The database is copied");

    App connected = migrated(connect(address, login[1]));
    assertThat(get(connected, "/")).isEqualTo("chair");

    Deployment wrong = begun(connect(address, "wrong-p4ssword")).first().awaitFailed();
    assertThat(wrong.errorCode()).isEqualTo("database_unreachable");
    assertThat(wrong.errorMessage()).contains("Access denied").doesNotContain("wrong-p4ssword");
    assertThat(wrong.log()).doesNotContain("Commit ", "wrong-p4ssword");
  }

  private static Map<String, String> connect(String url, String key) {
    return Map.of("type", "mysql", "action", "connect", "url", url, "service_key", key);
  }

  private App migrated(Map<String, String> database) {
    App app = begun(database);
    app.first().awaitLive();
    return app;
  }

  private App begun(Map<String, String> database) {
    Repository repository = slipway.repository();
    repository.commit(NotesApp.ofNodeWithMysql());
    JsonNode made =
        slipway
            .api()
            .post(
                "/v1/migrations",
                Map.of(
                    "source",
                    "folder",
                    "repo",
                    repository.name(),
                    "database",
                    database,
                    "env_vars",
                    Map.of("PLACE", "${{MYSQL_HOST}}:${{MYSQL_PORT}}")));
    return App.of(slipway, slipway.api().get("/v1/migrations/" + made.get("id").asText()));
  }

  private String get(App app, String path) {
    return slipway.visit(app.host(), path).body();
  }

  private String logIn(App from, String url) {
    return get(from, "/try?url=" + URLEncoder.encode(url, StandardCharsets.UTF_8));
  }
}
