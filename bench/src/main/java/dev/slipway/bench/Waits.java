package dev.slipway.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a server's first answer by asking again and again. */
final class Waits {
  private static final long GAP = TimeUnit.MILLISECONDS.toNanos(2);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Waits() {}

  /** Returns when the path answers with 200. */
  static void untilAnswers(int port, String path, Process process) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!answers(port, path)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("no answer from " + path + " on port " + port);
      }
      LockSupport.parkNanos(GAP);
    }
  }

  private static boolean answers(int port, String path) {
    try (Http http = new Http(port, LIMIT)) {
      return http.get("localhost", path).status() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
