package dev.slipway.database.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.Eventually;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The distribution's MariaDB, with files of its own: one for the whole JVM, started by the first
 * test that asks and ended with the JVM. It writes all statements to its log.
 */
final class TestMariadb {
  private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
  private static final Secret PASSWORD = new Secret("of#the\"operator\\ 'x'");

  /** As README.md tells operators to. */
  private static final String ADMINISTRATOR =
      """
      CREATE USER slipway@'%%' IDENTIFIED BY '%s';
      GRANT CREATE USER, PROCESS, CONNECTION ADMIN ON *.* TO slipway@'%%';
      GRANT SELECT ON mysql.* TO slipway@'%%';
      GRANT ALL ON `db\\_%%`.* TO slipway@'%%' WITH GRANT OPTION;
      CREATE USER operator@'%%' IDENTIFIED BY '%1$s';
      GRANT ALL ON *.* TO operator@'%%' WITH GRANT OPTION;
      """;

  private final Path folder;
  private final int port;

  private TestMariadb(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Where it is not installed, the test is skipped. */
  static TestMariadb server() {
    assumeTrue(Files.isExecutable(SERVER), "needs the package mariadb-server");
    return One.STARTED;
  }

  /** Its administrator, who may do what we need and no more. */
  DatabaseLink administrator() {
    return new DatabaseLink(place(""), new DatabaseLogin("slipway", PASSWORD));
  }

  /** Who may do everything, as no administrator of ours does. */
  DatabaseLink operator() {
    return new DatabaseLink(place(""), new DatabaseLogin("operator", PASSWORD));
  }

  DatabasePlace place(String name) {
    return new DatabasePlace(DatabaseType.MYSQL, "127.0.0.1", port, name, Map.of());
  }

  static Connection connect(DatabaseLink link) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://%s:%d/%s?sslMode=disable"
            .formatted(link.place().host(), link.place().port(), link.place().name()),
        link.login().user(),
        link.login().password().reveal());
  }

  /** By its socket, which it takes for as good as an encrypted connection. */
  void administerLocally(String statement) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder(
                "mariadb",
                "--no-defaults",
                "--socket=" + folder.resolve("socket"),
                "--user=root",
                "--execute=" + statement)
            .inheritIO()
            .start()
            .waitFor();
    assertThat(status).isZero();
  }

  /** All statements that were said to it. */
  String log() throws IOException {
    return Files.readString(folder.resolve("statements"));
  }

  private boolean answers() {
    try {
      connect(administrator()).close();
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  private static final class One {
    private static final TestMariadb STARTED = start();
  }

  // Not in the class above: where its making fails, nothing of it could end the server.
  private static TestMariadb start() {
    try {
      Path folder = Files.createTempDirectory("slipway-mariadb-").toRealPath();
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
      Path first =
          Files.writeString(
              folder.resolve("first.sql"),
              ADMINISTRATOR.formatted(PASSWORD.reveal().replace("\\", "\\\\").replace("'", "''")));
      if (root()) {
        for (Path path : List.of(folder, first)) {
          Files.setOwner(
              path,
              path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("mysql"));
        }
      }
      int made =
          program(
                  folder,
                  "/usr/bin/mariadb-install-db",
                  "--no-defaults",
                  "--datadir=" + folder.resolve("data"),
                  "--auth-root-authentication-method=normal",
                  "--skip-test-db",
                  "--skip-name-resolve")
              .start()
              .waitFor();
      if (made != 0) {
        throw new IllegalStateException(Files.readString(folder.resolve("log")));
      }
      int port = freePort();
      Process server =
          program(
                  folder,
                  SERVER.toString(),
                  "--no-defaults",
                  "--datadir=" + folder.resolve("data"),
                  "--init-file=" + first,
                  "--bind-address=127.0.0.1",
                  "--port=" + port,
                  "--socket=" + folder.resolve("socket"),
                  "--pid-file=" + folder.resolve("pid"),
                  "--skip-name-resolve",
                  "--event-scheduler=ON",
                  "--innodb-flush-log-at-trx-commit=0",
                  "--innodb-buffer-pool-size=32M",
                  "--general-log=1",
                  "--general-log-file=" + folder.resolve("statements"))
              .start();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> {
                server.destroyForcibly().onExit().join();
                Trees.delete(folder);
              }));
      TestMariadb started = new TestMariadb(folder, port);
      Eventually.holds("MariaDB answers", started::answers);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It does not run as root. */
  private static ProcessBuilder program(Path folder, String... command) {
    List<String> all = new ArrayList<>();
    if (root()) {
      all.addAll(List.of("setpriv", "--reuid=mysql", "--regid=mysql", "--clear-groups", "--"));
    }
    all.addAll(List.of(command));
    return new ProcessBuilder(all)
        .directory(Path.of("/").toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
  }

  private static boolean root() {
    return System.getProperty("user.name", "").equals("root");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
