package dev.slipway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The program under test: {@code slipway server} as a process of its own, on a data directory and a
 * port that nobody else has. It can be killed and started again.
 *
 * <p>Two git hosts are configured: {@code folder}, bare repositories on disk, and {@code git}, the
 * same ones over HTTP where a test gives a {@link GitServer}.
 */
final class SlipwayProcess implements AutoCloseable {
  static final Duration DRAIN = Duration.ofSeconds(3);

  /** Of the first user, the owner of the account. */
  static final String EMAIL = "owner@localhost";

  static final String PASSWORD = "difference engine";

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final int PORTS = 40;
  private static final AtomicInteger NEXT_PORTS =
      new AtomicInteger(10_000 + (int) (ProcessHandle.current().pid() % 50) * 200);

  private final Path directory;
  private final String key;
  private final int port;
  private final int controlPort;
  private final boolean apart;
  private final int firstAppPort = NEXT_PORTS.getAndAdd(PORTS);
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final Api api;
  private final AtomicInteger repositories = new AtomicInteger();
  private Optional<Process> process = Optional.empty();

  private SlipwayProcess(
      Path directory, String key, boolean apart, Function<Path, Map<String, String>> settings)
      throws IOException {
    this.directory = directory;
    this.key = key;
    this.port = freePort();
    this.controlPort = freePort();
    this.apart = apart;
    this.api = new Api(http, URI.create("http://127.0.0.1:" + port), key);
    try {
      // PostgreSQL has an account of its own where we are root: it must get to its directory.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      Files.createDirectories(gitFolder());
      Files.writeString(configuration(), yaml(settings.apply(gitFolder())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static SlipwayProcess start() {
    return start(_ -> Map.of());
  }

  /**
   * @param settings sections of the configuration, YAML text each, beside or in place of those that
   *     all tests have; made for the folder of the bare repositories
   */
  static SlipwayProcess start(Function<Path, Map<String, String>> settings) {
    return start(false, settings);
  }

  /** Without the edge: nothing answers at {@link #address} before an {@link EdgeAlone} does. */
  static SlipwayProcess startWithoutEdge() {
    return start(true, _ -> Map.of("apps", "{drain: 60s, start_timeout: 20s}"));
  }

  /**
   * On another machine, as it were: in a directory and on ports of its own.
   *
   * @param archive of {@code slipway admin backup}
   * @param key that opened the server which the archive is of
   */
  static SlipwayProcess restored(Path archive, String key) {
    SlipwayProcess slipway = make(key, false, _ -> Map.of());
    return slipway.started(() -> {
      slipway.admin("restore", archive.toString());
      slipway.startAgain();
    });
  }

  private static SlipwayProcess start(boolean apart, Function<Path, Map<String, String>> settings) {
    Programs.require("git", "node", "npm");
    SlipwayProcess slipway = make("acceptance-" + UUID.randomUUID(), apart, settings);
    return slipway.started(slipway::startAgain);
  }

  private static SlipwayProcess make(
      String key, boolean apart, Function<Path, Map<String, String>> settings) {
    try {
      return new SlipwayProcess(
          Files.createTempDirectory("slipway-acceptance"), key, apart, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SlipwayProcess started(Runnable start) {
    try {
      start.run();
    } catch (AssertionError | RuntimeException e) {
      close();
      throw e;
    }
    return this;
  }

  /** {@code slipway admin <arguments>} as a process of its own; answers what it prints. */
  String admin(String... arguments) {
    List<String> line = new ArrayList<>(List.of("admin"));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--config", configuration().toString()));
    return Programs.run(Path.of("/"), Slipway.command(line.toArray(String[]::new)));
  }

  private String yaml(Map<String, String> settings) {
    Map<String, String> sections = new TreeMap<>();
    sections.put("data_dir", dataDir().toString());
    sections.put("http", "{port: %d, control_port: %d}".formatted(port, controlPort));
    sections.put("apps", "{drain: %ds, start_timeout: 20s}".formatted(DRAIN.toSeconds()));
    sections.put(
        "bootstrap",
        "{api_key: \"%s\", tier: tests, email: %s, password: \"%s\"}"
            .formatted(key, EMAIL, PASSWORD));
    sections.put("tiers", "{tests: {requests_per_minute: 1000000}}");
    sections.put("rate_limits", "{unauthenticated_per_minute: 1000000}");
    sections.put("limits", "{disk_free_min: 256MiB}");
    // Those that are told are on this machine.
    sections.put("webhooks", "{allow_private_targets: true}");
    sections.put("repo_hosts", "[{kind: folder, url: \"file://%s\"}]".formatted(gitFolder()));
    sections.put("runtime", "{ports: \"%d-%d\"}".formatted(firstAppPort, firstAppPort + PORTS - 1));
    sections.putAll(settings);
    StringBuilder text = new StringBuilder();
    sections.forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    return text.toString();
  }

  /** Returns when it answers. */
  void startAgain() {
    process = Optional.of(spawn(apart ? "api,worker" : "api,worker,edge", serverLog()));
    Wait.until("the server answers", START_LIMIT, this::answers);
  }

  /** One that does this part of the server's work. */
  Process spawn(String roles, Path log) {
    ProcessBuilder builder =
        new ProcessBuilder(
                Slipway.command("server", "--config", configuration().toString(), "--roles", roles))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("SLIPWAY_"));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers() {
    if (!process.orElseThrow().isAlive()) {
      throw new AssertionError("the server ended:\n" + serverLogText());
    }
    try {
      URI ready = URI.create("http://127.0.0.1:%d/readyz".formatted(apart ? controlPort : port));
      return api.send(HttpRequest.newBuilder(ready)).status() == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  /** {@code kill -9}. */
  void kill() {
    end(process.orElseThrow().destroyForcibly());
  }

  /** SIGTERM; fails where it does not end soon. */
  void terminate() {
    process.orElseThrow().destroy();
    end(process.orElseThrow());
  }

  private static void end(Process process) {
    try {
      if (!process.waitFor(15, TimeUnit.SECONDS)) {
        throw new AssertionError("the server did not end within 15 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  String key() {
    return key;
  }

  Api api() {
    return api;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + port);
  }

  HttpClient http() {
    return http;
  }

  Path dataDir() {
    return directory.resolve("data");
  }

  /** Where the bare repositories are. */
  Path gitFolder() {
    return directory.resolve("repositories");
  }

  Path configuration() {
    return directory.resolve("server.yaml");
  }

  private Path serverLog() {
    return logFile("server");
  }

  Path logFile(String name) {
    return directory.resolve(name + ".log");
  }

  /** What the server printed, over all its starts. */
  String serverLogText() {
    try {
      return Files.readString(serverLog());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An empty repository with a name of its own. */
  Repository repository() {
    return Repository.create(
        gitFolder(), directory.resolve("works"), "acme/app" + repositories.incrementAndGet());
  }

  /** Takes an application to its address. */
  App migrate(Map<String, String> files) {
    return migrate(files, Map.of());
  }

  App migrate(Map<String, String> files, Map<String, String> env) {
    Repository repository = repository();
    repository.commit(files);
    return migrate(repository, env);
  }

  App migrate(Repository repository, Map<String, String> env) {
    App app = beginMigration("folder", repository.name(), env);
    app.first().awaitLive();
    return app;
  }

  /** Returns when it is accepted. */
  App beginMigration(String source, String repo, Map<String, String> env) {
    JsonNode made =
        api.post("/v1/migrations", Map.of("source", source, "repo", repo, "env_vars", env));
    return App.of(this, api.get("/v1/migrations/" + made.get("id").asText()));
  }

  /** What the host of this name answers. */
  Reply visit(String host, String path) {
    return api.send(
        HttpRequest.newBuilder(address().resolve(path))
            .header("Host", host)
            .timeout(Duration.ofSeconds(40)));
  }

  /** The processes that run for the apps: below the supervisors of their instances. */
  Map<Long, String> appProcesses() {
    return ProcessTable.of(dataDir().resolve("instances"));
  }

  /** The processes of the instance that was given this port. */
  Map<Long, String> processesAt(int appPort) {
    return instances().stream()
        .filter(instance -> instance.port() == appPort)
        .findFirst()
        .map(RunDirectory::processes)
        .orElse(Map.of());
  }

  /** All that runs for this server, itself included. */
  Map<Long, String> processes() {
    return ProcessTable.of(directory);
  }

  /** Names of the directories that there are of instances or builds. */
  List<String> directories(String name) {
    Path parent = dataDir().resolve(name);
    if (!Files.exists(parent)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those that were given a port. */
  List<RunDirectory> instances() {
    Path all = dataDir().resolve("instances");
    return directories("instances").stream()
        .flatMap(name -> RunDirectory.of(all.resolve(name)).stream())
        .toList();
  }

  /** Whether anyone listens on this port of the loopback address. */
  static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Ends the server and all that it started, and deletes what they left. */
  @Override
  public void close() {
    process.ifPresent(Process::destroyForcibly);
    Wait.until(
        "all processes have ended",
        Duration.ofSeconds(20),
        () -> {
          processes().keySet().forEach(ProcessTable::kill);
          return processes().isEmpty();
        });
    http.close();
    keepServerLog();
    Programs.run(Path.of("/"), "rm", "-rf", directory.toString());
  }

  /** For whoever asks why a test failed. */
  private void keepServerLog() {
    try {
      Path logs = Files.createDirectories(Path.of("target", "server-logs"));
      Files.copy(
          serverLog(),
          logs.resolve(directory.getFileName() + ".log"),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
