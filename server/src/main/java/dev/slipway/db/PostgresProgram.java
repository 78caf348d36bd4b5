package dev.slipway.db;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the program {@code postgres}. Its lines go to the server log; the last ones are kept
 * to explain a failed start.
 */
final class PostgresProgram {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresProgram.class);
  private static final int KEPT_LINES = 20;

  /**
   * Small: the store holds rows about deployments, not the deployments. Sockets are off since any
   * account could open a file socket. {@code log_min_messages}: errors of statements reach whoever
   * sent them; logged, they would show values.
   */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("listen_addresses", "127.0.0.1"),
          Map.entry("unix_socket_directories", ""),
          Map.entry("max_connections", "100"),
          Map.entry("shared_buffers", "32MB"),
          Map.entry("min_wal_size", "32MB"),
          Map.entry("max_wal_size", "256MB"),
          Map.entry("io_method", "sync"),
          Map.entry("jit", "off"),
          Map.entry("timezone", "UTC"),
          Map.entry("log_timezone", "UTC"),
          Map.entry("logging_collector", "off"),
          Map.entry("log_line_prefix", ""),
          Map.entry("log_checkpoints", "off"),
          Map.entry("log_min_messages", "log"),
          Map.entry("log_min_error_statement", "panic"),
          Map.entry("log_error_verbosity", "terse"));

  private final Process process;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread reader;

  /** Starts it as a child that ends with the calling thread: call it from one that lives on. */
  PostgresProgram(
      PostgresBinaries binaries, PostgresAccount account, Path data, int port, boolean fsync) {
    List<String> arguments = new ArrayList<>();
    // A session of its own: Ctrl-C in the server's terminal must reach the server alone, which then
    // ends its store last.
    Command.find("setsid").ifPresent(arguments::add);
    List<String> postgres = new ArrayList<>();
    Command.find("setpriv").ifPresent(setpriv -> postgres.addAll(dyingWithUs(setpriv)));
    postgres.addAll(postgresArguments(binaries, data, port, fsync));
    arguments.addAll(account.command(postgres));
    try {
      process = Command.prepare(arguments).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + arguments, e);
    }
    reader = Thread.ofPlatform().daemon().name("postgres-log").start(this::readLines);
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** What it said last, after its end all of it. */
  String lastWords() {
    try {
      reader.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lastLines) {
      return String.join(" / ", lastLines);
    }
  }

  // The signal is set by the last program before postgres: a change of user would clear it.
  private static List<String> dyingWithUs(String setpriv) {
    return List.of(setpriv, "--pdeathsig", "INT", "--");
  }

  private static List<String> postgresArguments(
      PostgresBinaries binaries, Path data, int port, boolean fsync) {
    List<String> arguments =
        new ArrayList<>(
            List.of(binaries.program("postgres"), "-D", data.toString(), "-p", "" + port));
    SETTINGS.forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    if (!fsync) {
      arguments.addAll(
          List.of("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"));
    }
    return arguments;
  }

  private void readLines() {
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
