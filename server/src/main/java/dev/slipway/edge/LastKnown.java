package dev.slipway.edge;

import dev.slipway.db.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last of several values, kept in a file: whole or not at all, and written about once a second
 * at most, however often there is another. Thread-safe; keeping does not wait.
 */
final class LastKnown<T> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LastKnown.class);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

  private final Path file;
  private final Function<T, String> write;
  private final Function<String, T> read;
  private final ScheduledThreadPoolExecutor writer =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("last-known").factory());
  private final Object state = new Object();
  private Optional<T> latest = Optional.empty();
  private long nextNanos = System.nanoTime();
  private boolean planned;
  private boolean begun;
  private boolean ended;
  private boolean failing; // of who writes

  /**
   * @param write must not throw for what the program makes itself
   * @param read may throw any exception for what it does not understand
   */
  LastKnown(Path file, Function<T, String> write, Function<String, T> read) {
    this.file = file;
    this.write = write;
    this.read = read;
    writer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Empty where there is none, or none that can be understood: which is said, and no more. */
  Optional<T> read() {
    try {
      return Optional.of(read.apply(Files.readString(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      // Its class alone: the message may quote what is secret.
      log.warn("{} cannot be used: {}", file, e.getClass().getSimpleName());
      return Optional.empty();
    }
  }

  /** From now on what is kept is written; until then another process may be writing the file. */
  void begin() {
    synchronized (state) {
      begun = true;
      plan();
    }
  }

  void keep(T value) {
    synchronized (state) {
      latest = Optional.of(value);
      plan();
    }
  }

  private void plan() {
    if (begun && !ended && !planned && latest.isPresent()) {
      planned = true;
      long delay = Math.max(0, nextNanos - System.nanoTime());
      var _ = writer.schedule(this::write, delay, TimeUnit.NANOSECONDS);
    }
  }

  /** On one thread at a time, which nobody who keeps something waits for. */
  private synchronized void write() {
    Optional<T> value;
    synchronized (state) {
      planned = false;
      value = begun && !ended ? latest : Optional.empty();
      latest = Optional.empty();
      nextNanos = System.nanoTime() + BETWEEN_WRITES.toNanos();
    }
    if (value.isEmpty()) {
      return;
    }
    try {
      PrivateFile.write(file, write.apply(value.get()));
      failing = false;
    } catch (IOException e) {
      if (!failing) { // said once: it is tried again with each further value
        failing = true;
        log.warn("{} cannot be written, and stays as it was: {}", file, e.toString());
      }
    }
  }

  /** Nothing more is written; does not wait for what is just being written. */
  void end() {
    synchronized (state) {
      ended = true;
    }
    writer.shutdown();
  }

  /** What was kept last is on disk when this returns, if it can be; nothing more is written. */
  @Override
  public void close() {
    write();
    end();
  }
}
