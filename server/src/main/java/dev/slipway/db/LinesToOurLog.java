package dev.slipway.db;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines of a postmaster that ends with us go to the server's log. */
final class LinesToOurLog implements PostgresOutput {
  private static final Logger LOG = LoggerFactory.getLogger(LinesToOurLog.class);
  private static final int KEPT_LINES = 20;

  private final Deque<String> lastLines = new ArrayDeque<>();
  private Optional<Thread> reader = Optional.empty();

  @Override
  public Redirect target() {
    return Redirect.PIPE;
  }

  @Override
  public void begins(Process process) {
    reader =
        Optional.of(
            Thread.ofPlatform().daemon().name("postgres-log").start(() -> readLines(process)));
  }

  @Override
  public String lastWords() {
    try {
      if (reader.isPresent()) {
        reader.get().join(1000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lastLines) {
      return String.join(" / ", lastLines);
    }
  }

  private void readLines(Process process) {
    try (BufferedReader lines = process.inputReader()) {
      String line = lines.readLine();
      while (line != null) {
        log(line);
        line = lines.readLine();
      }
    } catch (IOException e) {
      LOG.debug("the log of PostgreSQL broke off", e);
    }
  }

  private void log(String line) {
    synchronized (lastLines) {
      lastLines.addLast(line);
      if (lastLines.size() > KEPT_LINES) {
        lastLines.removeFirst();
      }
    }
    if (line.startsWith("PANIC")) {
      LOG.warn("postgres: {}", line);
    } else if (line.startsWith("FATAL")) {
      LOG.info("postgres: {}", line);
    } else {
      LOG.debug("postgres: {}", line);
    }
  }
}
