package dev.slipway.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.db.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A PostgreSQL of the distribution, as operators have one; its programs refuse to be root. */
final class DebianServer implements AutoCloseable {
  private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
  private static final Secret PASSWORD = new Secret("of-the-operator");

  private final Path folder = TestPostgres.folder();
  private final int port = freePort();
  private final Process process;

  private DebianServer() throws IOException, InterruptedException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path password = Files.writeString(folder.resolve("password"), PASSWORD.reveal());
    if (isRoot()) {
      for (Path path : List.of(folder, home, password)) {
        Files.setOwner(
            path,
            path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
      }
    }
    String data = home.resolve("data").toString();
    run(
        "initdb",
        "-D",
        data,
        "-U",
        "operator",
        "-A",
        "scram-sha-256",
        "--pwfile=" + password,
        "-N");
    process =
        program(
                "postgres",
                "-D",
                data,
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=off",
                "-c",
                "log_statement=all")
            .start();
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAMS.resolve("postgres"));
  }

  static DebianServer start() throws IOException, InterruptedException {
    return new DebianServer();
  }

  DatabaseLink superuser() {
    return link("operator", PASSWORD);
  }

  DatabaseLink link(String user, Secret password) {
    return new DatabaseLink(
        new DatabasePlace(DatabaseType.POSTGRES, "127.0.0.1", port, "postgres", Map.of()),
        new DatabaseLogin(user, password));
  }

  /** All that it wrote, statements included. */
  String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
    TestPostgres.delete(folder);
  }

  private void run(String... command) throws IOException, InterruptedException {
    assertThat(program(command).start().waitFor()).as(command[0]).isZero();
  }

  private ProcessBuilder program(String... command) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(
          List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"));
    }
    all.add(PROGRAMS.resolve(command[0]).toString());
    all.addAll(List.of(command).subList(1, command.length));
    return new ProcessBuilder(all)
        .directory(Path.of("/").toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
  }

  private static boolean isRoot() {
    try {
      return Files.getOwner(Path.of("/proc/self"), LinkOption.NOFOLLOW_LINKS)
          .getName()
          .equals("root");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
