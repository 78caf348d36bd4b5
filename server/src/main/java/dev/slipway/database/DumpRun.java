package dev.slipway.database;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/**
 * One that runs. Closing it ends the program and deletes all that it was given; by one thread, its
 * streams by others.
 */
final class DumpRun implements AutoCloseable {
  private final DumpProgram program;
  private final Sandbox sandbox;
  private final Path directory;
  private final SandboxedProcess process;
  private final SaidLines said = new SaidLines();
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
    return program.output().apply(process.output().orElseThrow());
  }

  /** Of one that only reads: what it prints goes nowhere, so that it never waits for a reader. */
  void discardOutput() {
    InputStream output = output();
    Thread.ofVirtual()
        .name("output of " + program.name())
        .start(() -> {
          try (output) {
            output.transferTo(OutputStream.nullOutputStream());
          } catch (IOException itHasEnded) {
            // how, it says elsewhere
          }
        });
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
      if (status != 0 && !program.forgives().test(said.masked(program.secrets()))) {
        throw failure(status);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // an end is never exceptional
    }
  }

  private AppFailure failure(int status) {
    String why = String.join(" / ", said.masked(program.secrets()));
    return new AppFailure(
        FailureCode.DATABASE_FAILED,
        "%s %s: %s"
            .formatted(
                program.name(),
                program.what(),
                why.isEmpty() ? "it ended with status %d".formatted(status) : why));
  }

  private void readErrors() {
    said.read(process.errors().orElseThrow());
  }

  @Override
  public void close() {
    process.stop(Duration.ZERO);
    sandbox.end(directory);
  }
}
