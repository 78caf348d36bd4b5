package dev.slipway.bench;

import dev.slipway.Server;
import dev.slipway.config.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The built program, {@code ./slipway server}, on a data directory of its own. For one thread. */
final class BenchServer implements AutoCloseable {
  static final String SOURCE = "folder";

  private static final String KEY = "bench-0123456789-0123456789-0123456789";

  private final Path home;
  private final Path work;
  private final int port;
  private final Map<String, String> settings;
  private Optional<Process> process = Optional.empty();

  /**
   * @param home of the program
   * @param name of the data directory below {@code work}, which need not exist
   */
  BenchServer(Path home, Path work, String name, SampleApp app) throws IOException {
    this(home, work, name, app.repositories());
  }

  /**
   * @param repositories the folder of the git host
   */
  BenchServer(Path home, Path work, String name, Path repositories) throws IOException {
    this(home, work, name, repositories, Map.of());
  }

  /**
   * @param further settings, as variables
   */
  BenchServer(Path home, Path work, String name, Path repositories, Map<String, String> further)
      throws IOException {
    this.home = home;
    this.work = work;
    this.port = FreePort.find();
    this.settings =
        new HashMap<>(BenchSettings.of(work.resolve(name), port, KEY, SOURCE, repositories));
    settings.putAll(further);
  }

  int port() {
    return port;
  }

  Api api() {
    return new Api(port, KEY);
  }

  /** From the command to the first answer. */
  Duration start(String... javaOptions) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("SLIPWAY_JAVA_OPTS", String.join(" ", javaOptions));
    long begin = System.nanoTime();
    Process started =
        Program.start(
            work,
            work.resolve("server.log").toFile(),
            all,
            List.of(home.resolve("slipway").toString(), "server"));
    process = Optional.of(started);
    Waits.untilAnswers(port, "/readyz", started);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /** Ends the server; the applications go on. */
  void stop() {
    if (process.isPresent()) {
      Program.end(process.get());
      process = Optional.empty();
    }
  }

  /** Ends the server and its applications. */
  @Override
  public void close() {
    stop();
    // Applications outlive their server: one is started for the sole purpose of ending them. On
    // another port, as a client of the bench may have been given the old one by now.
    Map<String, String> all = new HashMap<>(settings);
    all.put("SLIPWAY_HTTP_PORT", Integer.toString(freePort()));
    Server.start(ServerConfig.load(Optional.empty(), all), System.getenv(), _ -> {})
        .closeWithApps();
  }

  private static int freePort() {
    try {
      return FreePort.find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
