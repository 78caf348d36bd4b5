package dev.slipway.database;

import dev.slipway.core.Eventually;
import dev.slipway.core.Secret;
import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.StoreAddress;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * PostgreSQL servers for tests of databases, one of each version for the whole JVM: started by the
 * first test that asks, ended with the JVM.
 */
public final class TestPostgres {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql/15/bin");
  private static final Secret PASSWORD = new Secret("administrator-5d1c");

  private final StoreAddress administrator;

  private TestPostgres(StoreAddress administrator) {
    this.administrator = administrator;
  }

  /** The newest, which comes with the server. */
  public static TestPostgres newest() {
    return Newest.SERVER;
  }

  /** Debian's PostgreSQL 15; empty where it is not installed. */
  public static Optional<TestPostgres> debian15() {
    return Files.isExecutable(DEBIAN.resolve("postgres"))
        ? Optional.of(Debian.SERVER)
        : Optional.empty();
  }

  public StoreAddress administrator() {
    return administrator;
  }

  /** An empty database; its login owns it and may do nothing else. */
  public DatabaseLink newDatabase() throws SQLException {
    String name = "db_" + UUID.randomUUID().toString().substring(0, 8);
    DatabaseLogin login = new DatabaseLogin(name + "_1", new Secret("pass:wo\\rd-" + name));
    administer("CREATE ROLE %s NOLOGIN".formatted(name));
    administer(
        "CREATE ROLE %s LOGIN PASSWORD '%s' IN ROLE %s"
            .formatted(login.user(), login.password().reveal(), name));
    administer("CREATE DATABASE %s TEMPLATE template0 OWNER %1$s".formatted(name));
    administer("ALTER ROLE %s IN DATABASE %s SET role = %2$s".formatted(login.user(), name));
    URI at = URI.create(administrator.jdbcUrl().substring("jdbc:".length()));
    return new DatabaseLink(
        new DatabasePlace(DatabaseType.POSTGRES, at.getHost(), at.getPort(), name, Map.of()),
        login);
  }

  public void administer(String statement) throws SQLException {
    administer("postgres", statement);
  }

  /** As the administrator, in that database. */
  public void administer(String database, String statement) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                administrator.jdbcUrl().replace("/postgres?", "/" + database + "?"),
                administrator.user(),
                administrator.password().reveal());
        Statement it = connection.createStatement()) {
      it.execute(statement);
    }
  }

  public static Connection connect(DatabaseLink link) throws SQLException {
    DatabasePlace place = link.place();
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%d/%s".formatted(place.host(), place.port(), place.name()),
        link.login().user(),
        link.login().password().reveal());
  }

  private static final class Newest {
    private static final TestPostgres SERVER = start();

    private static TestPostgres start() {
      Path folder = folder();
      EmbeddedPostgres postgres =
          EmbeddedPostgres.start(
              new PostgresSettings(
                  folder.resolve("postgres"),
                  Path.of("target", "postgres"),
                  folder.resolve("password"),
                  false));
      atExit(() -> {
        postgres.stop();
        Trees.delete(folder);
      });
      return new TestPostgres(postgres.address());
    }
  }

  private static final class Debian {
    private static final TestPostgres SERVER = start();

    private static TestPostgres start() {
      Path folder = folder();
      Path data = folder.resolve("data");
      try {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD.reveal());
        for (Path path : List.of(folder, password)) {
          if (root()) {
            Files.setOwner(
                path,
                path.getFileSystem()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByName("postgres"));
          }
        }
        run(
            "initdb",
            "-D",
            "" + data,
            "-U",
            "postgres",
            "-A",
            "scram-sha-256",
            "-N",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--pwfile=" + password);
        int port = freePort();
        Process server =
            command(
                    "postgres",
                    "-D",
                    "" + data,
                    "-p",
                    "" + port,
                    "-c",
                    "listen_addresses=127.0.0.1",
                    "-c",
                    "unix_socket_directories=",
                    "-c",
                    "fsync=off")
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        atExit(() -> {
          server.destroyForcibly(); // its children notice
          Trees.delete(folder);
        });
        TestPostgres started =
            new TestPostgres(
                new StoreAddress(
                    "jdbc:postgresql://127.0.0.1:%d/postgres?".formatted(port),
                    "postgres",
                    PASSWORD));
        Eventually.holds("PostgreSQL 15 answers", started::answers);
        return started;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void run(String... arguments) throws IOException {
      Process process = command(arguments).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      try {
        if (process.waitFor() != 0) {
          throw new IllegalStateException(arguments[0] + ": " + said);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** It does not run as root. */
    private static ProcessBuilder command(String... arguments) {
      List<String> argv = new ArrayList<>();
      if (root()) {
        argv.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
      }
      argv.add(DEBIAN.resolve(arguments[0]).toString());
      argv.addAll(List.of(arguments).subList(1, arguments.length));
      return new ProcessBuilder(argv).redirectErrorStream(true).directory(Path.of("/").toFile());
    }
  }

  private boolean answers() {
    try {
      administer("SELECT 1");
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  private static boolean root() {
    return System.getProperty("user.name", "").equals("root");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("slipway-postgres-").toRealPath();
      return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void atExit(Runnable end) {
    Runtime.getRuntime().addShutdownHook(new Thread(end));
  }
}
