package dev.slipway.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An operator's MariaDB: the distribution's, with files and a port of its own. */
final class Mariadb implements AutoCloseable {
  private static final Path SERVER = Path.of("/usr/sbin/mariadbd");

  /** What README.md tells operators to do. */
  private static final String ADMINISTRATOR =
      """
      CREATE USER slipway@'%' IDENTIFIED BY 'of-the-operator';
      GRANT ALL ON `db\\_%`.* TO slipway@'%' WITH GRANT OPTION;
      GRANT SELECT ON mysql.* TO slipway@'%';
      GRANT CREATE USER, PROCESS, CONNECTION ADMIN ON *.* TO slipway@'%';
      """;

  private final Path folder;
  private final int port;
  private final Process process;

  private Mariadb(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    Path first = Files.writeString(folder.resolve("first.sql"), ADMINISTRATOR);
    if (isRoot()) {
      Programs.run(folder, "chown", "mysql", folder.toString(), first.toString());
    }
    String data = "--datadir=" + folder.resolve("data");
    int made = program("/usr/bin/mariadb-install-db", "--no-defaults", data).start().waitFor();
    if (made != 0) {
      throw new AssertionError(Files.readString(folder.resolve("log")));
    }
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = socket.getLocalPort();
    }
    this.process =
        program(
                SERVER.toString(),
                "--no-defaults",
                data,
                "--init-file=" + first,
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + folder.resolve("socket"),
                "--pid-file=" + folder.resolve("pid"),
                "--skip-name-resolve",
                "--innodb-buffer-pool-size=32M")
            .start();
    // Where its test does not come to close it.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** Where it is not installed, the test is skipped. */
  static Mariadb start() {
    assumeTrue(Files.isExecutable(SERVER), "needs the package mariadb-server");
    try {
      Mariadb mariadb = new Mariadb(Files.createTempDirectory("slipway-mariadb-"));
      Wait.until(
          "MariaDB listens", Duration.ofSeconds(30), () -> SlipwayProcess.listens(mariadb.port));
      return mariadb;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Of a server's configuration. */
  Map<String, String> section() {
    return Map.of(
        "databases",
        "{mysql: {url: \"jdbc:mariadb://127.0.0.1:%d/\", user: slipway, password: of-the-operator}}"
            .formatted(port));
  }

  int port() {
    return port;
  }

  /** It does not run as root. */
  private ProcessBuilder program(String... command) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(List.of("setpriv", "--reuid=mysql", "--regid=mysql", "--clear-groups", "--"));
    }
    all.addAll(List.of(command));
    return new ProcessBuilder(all)
        .directory(Path.of("/").toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
  }

  private static boolean isRoot() {
    return System.getProperty("user.name", "").equals("root");
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    Programs.run(Path.of("/"), "rm", "-rf", folder.toString());
  }
}
