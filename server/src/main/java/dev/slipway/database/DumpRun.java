package dev.slipway.database;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * One that runs. Closing it ends the program and deletes all that it was given; by one thread, its
 * streams by others.
 */
final class DumpRun implements AutoCloseable {
  private static final int KEPT_LINES = 8;
  private static final int MAX_LINE = 500;

  private final DumpProgram program;
  private final Sandbox sandbox;
  private final Path directory;
  private final SandboxedProcess process;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread reader;

  DumpRun(DumpProgram program, Sandbox sandbox, Path directory, SandboxedProcess process) {
    this.program = program;
    this.sandbox = sandbox;
    this.directory = directory;
    this.process = process;
    // Reading a pipe is not interruptible: the thread ends with the program.
    this.reader = Thread.ofVirtual().name("errors of " + program.name()).start(this::readErrors);
  }

  InputStream output() {
    return process.output().orElseThrow();
  }

  OutputStream input() {
    return process.input().orElseThrow();
  }

  /**
   * Waits for its end.
   *
   * @throws AppFailure {@code DATABASE_FAILED} with what it said, where it did not succeed
   */
  void requireSuccess() throws InterruptedException {
    try {
      int status = process.exit().get().status();
      reader.join();
      if (status != 0 && !program.forgives().test(said())) {
        throw failure(status);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // an end is never exceptional
    }
  }

  private AppFailure failure(int status) {
    String why = String.join(" / ", said());
    return new AppFailure(
        FailureCode.DATABASE_FAILED,
        "%s %s: %s"
            .formatted(
                program.name(),
                program.what(),
                why.isEmpty() ? "it ended with status %d".formatted(status) : why));
  }

  private List<String> said() {
    synchronized (lastLines) {
      return lastLines.stream().map(this::masked).toList();
    }
  }

  private String masked(String line) {
    String masked = line;
    for (Secret secret : program.secrets()) {
      masked = secret.reveal().isEmpty() ? masked : masked.replace(secret.reveal(), "***");
    }
    return masked.length() > MAX_LINE ? masked.substring(0, MAX_LINE) + "…" : masked;
  }

  private void readErrors() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.errors().orElseThrow(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line);
      }
    } catch (IOException brokenOff) {
      keep("the rest of what it said was lost");
    }
  }

  private void keep(String line) {
    synchronized (lastLines) {
      lastLines.addLast(line);
      if (lastLines.size() > KEPT_LINES) {
        lastLines.removeFirst();
      }
    }
  }

  @Override
  public void close() {
    process.stop(Duration.ZERO);
    sandbox.end(directory);
  }
}
