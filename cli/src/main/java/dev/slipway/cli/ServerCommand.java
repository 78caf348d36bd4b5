package dev.slipway.cli;

import dev.slipway.Server;
import dev.slipway.config.ServerConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code slipway server}: runs until it is told to stop, and leaves the apps running then. */
@Command(
    name = "server",
    description = "Run the server. SIGTERM or Ctrl-C ends it; the applications go on.",
    mixinStandardHelpOptions = true)
final class ServerCommand implements Runnable {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration; SLIPWAY_CONFIG by default. docs/server.yaml lists it all.")
  private @Nullable Path config;

  @Override
  public void run() {
    Server server = start(StoreOptions.load(Optional.ofNullable(config)), System.out::println);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  stopped.countDown();
                },
                "stop"));
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
