package dev.slipway.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What Slipway is measured against: git, npm and node, called one after the other. */
final class RawCommands {
  private final SampleApp app;
  private final Path log;
  private final Path installed;

  RawCommands(SampleApp app, Path work) throws InterruptedException {
    this.app = app;
    this.log = work.resolve("raw.log");
    this.installed = app.cloned();
    app.install(installed); // and npm's cache is warm from here on
  }

  /** Clone, npm ci, node to its first answer. */
  Duration firstDeployment() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path checkout = app.cloned();
    app.install(checkout);
    return started(checkout, begin);
  }

  /** Clone, the modules of an earlier checkout, node to its first answer. */
  Duration redeployment() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path checkout = app.cloned();
    Program.run(checkout, "ln", "-s", installed.resolve("node_modules").toString(), "node_modules");
    return started(checkout, begin);
  }

  /** Only node, to its first answer. */
  Duration start() throws IOException, InterruptedException {
    return started(installed, System.nanoTime());
  }

  private Duration started(Path checkout, long begin) throws IOException, InterruptedException {
    int port = FreePort.find();
    Process node =
        Program.start(
            checkout,
            log.toFile(),
            Map.of("PORT", String.valueOf(port)),
            List.of("node", "server.js"));
    try {
      Waits.untilAnswers(port, "/", node);
      return Duration.ofNanos(System.nanoTime() - begin);
    } finally {
      Program.end(node);
    }
  }
}
