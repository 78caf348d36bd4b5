package dev.slipway.cli;

import dev.slipway.EdgeProcess;
import dev.slipway.Server;
import dev.slipway.config.Role;
import dev.slipway.config.ServerConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code slipway server}: runs until it is told to stop, and leaves the apps running then. */
@Command(
    name = "server",
    description =
        "Run the server, or some of its roles. SIGTERM or Ctrl-C ends it; the applications go on.",
    mixinStandardHelpOptions = true)
final class ServerCommand implements Runnable {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration; SLIPWAY_CONFIG by default. docs/server.yaml lists it all.")
  private @Nullable Path config;

  @Option(
      names = "--roles",
      split = ",",
      paramLabel = "ROLE",
      description =
          "What this process does, in place of the configuration's roles: api,worker or edge.")
  private List<String> roles = List.of();

  @Override
  public void run() {
    ServerConfig settings = StoreOptions.load(Optional.ofNullable(config), environment());
    CountDownLatch stopped = new CountDownLatch(1);
    AutoCloseable server =
        settings.roles().equals(Set.of(Role.EDGE))
            ? startEdge(settings, stopped::countDown)
            : start(settings, System.out::println);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  close(server);
                  stopped.countDown();
                },
                "stop"));
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    if (!roles.isEmpty()) {
      environment.put("SLIPWAY_ROLES", roles.toString());
    }
    return environment;
  }

  /**
   * @param ended called when another process has taken over from it
   */
  private static EdgeProcess startEdge(ServerConfig config, Runnable ended) {
    try {
      EdgeProcess edge = EdgeProcess.start(config, System.getenv());
      var _ = edge.ended().thenRun(ended);
      return edge;
    } catch (Server.StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void close(AutoCloseable server) {
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts a server; what a person can mend is said in a sentence. */
  static Server start(ServerConfig config, Consumer<String> console) {
    try {
      return Server.start(config, System.getenv(), console);
    } catch (Server.StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
