package dev.slipway.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.Server;
import dev.slipway.config.ServerConfig;
import dev.slipway.db.StoreAddress;
import dev.slipway.sandbox.Trees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** A directory for a server, a server on it now and then, and the commands beside it. */
final class AdminPlace implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path directory;
  private final Path config;
  private final int port;
  private Optional<Server> server = Optional.empty();

  AdminPlace() {
    this(18_200);
  }

  /**
   * @param firstPort that its server may have; of two places each has its own
   */
  AdminPlace(int firstPort) {
    try {
      directory = Files.createTempDirectory("slipway-admin-test").toRealPath();
      // PostgreSQL has an account of its own where we are root: it must get to its directory.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      port = FreePort.from(firstPort);
      config = directory.resolve("server.yaml");
      Files.writeString(
          config,
          "data_dir: %s\nhttp: {port: %d}\nbootstrap: {email: owner@example.org}\n"
              .formatted(dataDir(), port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a command printed and how it ended. */
  record Result(int status, String out, String err) {
    JsonNode json() {
      try {
        return JSON.readTree(out);
      } catch (JsonProcessingException e) {
        throw new AssertionError("not JSON: " + out + err, e);
      }
    }
  }

  /** Its server shall have its master key there. */
  void useKeyFile(Path file) throws IOException {
    Files.writeString(
        config, "secrets: {key_file: %s}%n".formatted(file), StandardOpenOption.APPEND);
  }

  /** Its server shall keep everything in that store. */
  void useStore(StoreAddress store) throws IOException {
    Files.writeString(
        config,
        "store: {url: \"%s\", user: \"%s\", password: \"%s\"}%n"
            .formatted(store.jdbcUrl(), store.user(), store.password().reveal()),
        StandardOpenOption.APPEND);
  }

  Path dataDir() {
    return directory.resolve("data");
  }

  void startServer() {
    server =
        Optional.of(
            Server.start(ServerConfig.load(Optional.of(config), Map.of()), Map.of(), said -> {}));
  }

  /** Why a server does not start there. */
  static String startFailure(AdminPlace place) {
    try {
      place.startServer();
      return "it starts";
    } catch (Server.StartException e) {
      return String.valueOf(e.getMessage());
    }
  }

  void stopServer() {
    server.ifPresent(Server::close);
    server = Optional.empty();
  }

  /** {@code slipway admin <arguments>} with this server's configuration. */
  Result admin(String... arguments) {
    List<String> line = new ArrayList<>(List.of("admin"));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--config", config.toString()));
    return run(line);
  }

  Result adminWithInput(String input, String... arguments) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(Charset.defaultCharset())));
    try {
      return admin(arguments);
    } finally {
      System.setIn(before);
    }
  }

  static Result run(List<String> line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commands =
        Slipway.commands().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = commands.execute(line.toArray(String[]::new));
    return new Result(status, out.toString(), err.toString());
  }

  /** The status that the running server answers to a request with that key. */
  int statusWith(String key) {
    try {
      return http.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:%d/v1/migrations".formatted(port)))
                  .header("Authorization", "Bearer " + key)
                  .build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    stopServer();
    http.close();
    Trees.delete(directory);
  }
}
