package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Applications with databases that the service makes for them, with real drivers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DatabaseTest {
  private static final Map<String, String> CREATE = Map.of("type", "postgres", "action", "create");

  private final SlipwayProcess slipway = SlipwayProcess.start();

  @AfterAll
  void end() {
    slipway.close();
  }

  @Test
  void rowsSurviveDeploymentsRollbacksAndTheDeathOfTheServer() {
    App app = migrated(NotesApp.ofNode());
    assertThat(get(app, "/add?text=chair")).isEqualTo("added");
    assertThat(app.first().log())
        .contains("It is built as soon as its database is ready.")
        .contains("DATABASE_URL, PGDATABASE, PGHOST, PGPASSWORD, PGPORT, PGUSER")
        .as("its build logs in and tells nothing")
        .contains("made the table as [masked]");

    app.deploy().awaitLive();
    assertThat(get(app, "/")).isEqualTo("chair");
    app.rollBackTo(app.first()).awaitLive();
    assertThat(get(app, "/")).isEqualTo("chair");

    String born = get(app, "/url");
    slipway.kill();
    slipway.startAgain();
    assertThat(get(app, "/")).isEqualTo("chair");
    assertThat(get(app, "/url")).isEqualTo(born);
    app.deploy().awaitLive();
    assertThat(get(app, "/")).isEqualTo("chair");
  }

  @Test
  void aRotationRefusesTheEarlierPasswordAndNobodyReadsAny() {
    App app = migrated(NotesApp.ofNode());
    get(app, "/add?text=chair");
    String before = get(app, "/url");
    Load load = Load.on(app, 2);
    try (load) {
      Database.of(app).rotate();
    }
    String after = get(app, "/url");

    assertThat(load.failures()).isEmpty();
    assertThat(after).isNotEqualTo(before);
    assertThat(get(app, "/")).isEqualTo("chair");
    assertThat(logIn(app, after)).isEqualTo("connected");
    assertThat(logIn(app, before)).contains("password authentication failed");
    Deployment again = app.deploy().awaitLive();
    assertThat(again.log())
        .as("its build may have kept the password")
        .doesNotContain("was built before");

    get(app, "/url");
    for (String secret : new TreeSet<>(Set.of(password(before), password(after)))) {
      assertThat(app.first().log()).doesNotContain(secret);
      assertThat(again.log()).doesNotContain(secret);
      assertThat(printed(again)).contains("asked for [masked]").doesNotContain(secret);
      assertThat(slipway.serverLogText()).doesNotContain(secret);
      assertThat(ProcessTable.anyShows(secret)).as("on a command line").isFalse();
      assertThat(everythingThatIsTold(app)).doesNotContain(secret);
      List<Path> files = files();
      assertThat(files).isNotEmpty();
      assertThat(files).filteredOn(file -> holds(file, secret)).as("files that hold it").isEmpty();
    }
  }

  @Test
  void aDroppedDatabaseComesBackFromItsBackup() {
    App app = migrated(NotesApp.ofNode());
    get(app, "/add?text=chair");
    Database database = Database.of(app);
    String backup = database.backUp();
    get(app, "/add?text=table");
    assertThat(get(app, "/")).isEqualTo("chair table");

    database.drop();
    Wait.until(
        "its connections are cut",
        Duration.ofSeconds(20),
        () -> slipway.visit(app.host(), "/").status() == 500);
    Deployment without = app.deploy().awaitFailed();
    assertThat(without.errorCode()).isEqualTo("database_unreachable");

    database.restore(backup);
    assertThat(get(app, "/")).isEqualTo("chair");
    assertThat(app.deploy().awaitLive().status()).isEqualTo("live");
    assertThat(get(app, "/")).isEqualTo("chair");
  }

  @Test
  void aPythonApplicationHasADatabaseThatNoOtherOneReaches() {
    App python = migrated(NotesApp.ofPython());
    assertThat(get(python, "/add?text=lamp")).isEqualTo("added");
    App other = migrated(NotesApp.ofNode());
    URI theirs = URI.create(get(python, "/url"));
    URI own = URI.create(get(other, "/url"));
    String crossed =
        "postgres://%s@%s:%d%s"
            .formatted(own.getUserInfo(), own.getHost(), own.getPort(), theirs.getPath());

    assertThat(logIn(other, own.toString())).isEqualTo("connected");
    assertThat(logIn(other, crossed)).contains("permission denied");
    assertThat(logIn(python, crossed)).contains("permission denied");
    python.deploy().awaitLive();
    assertThat(get(python, "/")).isEqualTo("lamp");
  }

  @Test
  void aDatabaseThatExistsIsLoggedInToBeforeAnythingIsBuilt() {
    App first = migrated(NotesApp.ofNode());
    get(first, "/add?text=chair");
    URI url = URI.create(get(first, "/url"));
    String user = url.getUserInfo().substring(0, url.getUserInfo().indexOf(':'));
    String address =
        "postgres://%s@%s:%d%s".formatted(user, url.getHost(), url.getPort(), url.getPath());

    Deployment wrong = begun(connect(address, "wrong-p4ssword"), NotesApp.ofNode()).first();
    wrong.awaitFailed();
    assertThat(wrong.errorCode()).isEqualTo("database_unreachable");
    assertThat(wrong.errorMessage()).contains("password authentication failed");
    assertThat(wrong.log()).doesNotContain("Commit ", "wrong-p4ssword");

    App second = begun(connect(address, password(url.toString())), NotesApp.ofNode());
    second.first().awaitLive();
    assertThat(get(second, "/")).isEqualTo("chair");
  }

  @Test
  void withoutAMysqlOfTheOperatorsNoneIsMadeAndAnyIsConnected() {
    Reply refused =
        slipway
            .api()
            .send(
                slipway
                    .api()
                    .json(
                        "/v1/migrations",
                        """
                        {"source": "folder", "repo": "acme/shop",
                         "database": {"type": "mysql", "action": "create"}}
                        """));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("have the operator set databases.mysql");

    Map<String, String> nobody =
        Map.of(
            "type",
            "mysql",
            "action",
            "connect",
            "url",
            "mysql://ada@127.0.0.1:1/shop",
            "service_key",
            "wrong-p4ssword");
    Deployment failed = begun(nobody, NotesApp.ofNodeWithMysql()).first().awaitFailed();
    assertThat(failed.errorCode()).isEqualTo("database_unreachable");
    assertThat(failed.errorMessage()).contains("refused").doesNotContain("wrong-p4ssword");
  }

  private static Map<String, String> connect(String url, String key) {
    return Map.of("type", "postgres", "action", "connect", "url", url, "service_key", key);
  }

  private App migrated(Map<String, String> files) {
    App app = begun(CREATE, files);
    app.first().awaitLive();
    return app;
  }

  private App begun(Map<String, String> database, Map<String, String> files) {
    Repository repository = slipway.repository();
    repository.commit(files);
    JsonNode made =
        slipway
            .api()
            .post(
                "/v1/migrations",
                Map.of("source", "folder", "repo", repository.name(), "database", database));
    return App.of(slipway, slipway.api().get("/v1/migrations/" + made.get("id").asText()));
  }

  private String get(App app, String path) {
    return slipway.visit(app.host(), path).body();
  }

  private String logIn(App from, String url) {
    return get(from, "/try?url=" + URLEncoder.encode(url, StandardCharsets.UTF_8));
  }

  private static String password(String url) {
    String login = URI.create(url).getUserInfo();
    return login.substring(login.indexOf(':') + 1);
  }

  private String printed(Deployment deployment) {
    return slipway
        .api()
        .send(slipway.api().request("/v1/deployments/" + deployment.id() + "/logs?stream=app"))
        .body();
  }

  private String everythingThatIsTold(App app) {
    return Stream.of(
            "/v1/projects/" + app.project(),
            "/v1/projects/" + app.project() + "/env_vars?reveal=true",
            "/v1/databases",
            "/v1/databases/" + Database.of(app).id(),
            "/v1/deployments",
            "/v1/migrations")
        .map(path -> slipway.api().send(slipway.api().request(path)).body())
        .reduce("", String::concat);
  }

  /** The store with its journal, releases, what programs wrote; any of them may just go away. */
  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          slipway.dataDir(),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes read) {
              return directory.equals(slipway.dataDir().resolve("instances"))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes read) {
              if (read.isRegularFile()) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static boolean holds(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException deletedByNow) {
      return false;
    }
  }
}
