package dev.slipway.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The edge of a server that was started without one: a process of its own. */
final class EdgeAlone {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Process process;
  private final Path log;

  private EdgeAlone(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Returns when it serves. */
  static EdgeAlone start(SlipwayProcess slipway) {
    Path log = slipway.logFile("edge-" + COUNT.incrementAndGet());
    EdgeAlone edge = new EdgeAlone(slipway.spawn("edge", log), log);
    Wait.until("the edge is ready", LIMIT, edge::ready);
    return edge;
  }

  private boolean ready() {
    if (!process.isAlive()) {
      throw new AssertionError("the edge ended:\n" + log());
    }
    return log().contains("the edge is ready");
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code kill -9}. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** Returns the status that it ends with. */
  int awaitEnd() {
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the edge did not end:\n" + log());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
