package dev.slipway.database;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes on their way from one place to another, by a thread of their own: pipes cannot be read in a
 * way that an interrupt ends, so whoever waits is another, and ends the programs at the pipes.
 */
final class Flow {
  private static final int BUFFER = 256 << 10;
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final InputStream from;
  private final OutputStream to;
  private final Thread thread;
  private final AtomicLong bytes = new AtomicLong();
  private volatile Optional<Throwable> readFailure = Optional.empty();
  private volatile Optional<Throwable> writeFailure = Optional.empty();

  private Flow(InputStream from, OutputStream to) {
    this.from = from;
    this.to = to;
    this.thread = Thread.ofPlatform().daemon().name("dump").unstarted(this::run);
  }

  /** Reads to the end and closes {@code from}; {@code to} stays open. */
  static Flow start(InputStream from, OutputStream to) {
    Flow flow = new Flow(from, to);
    flow.thread.start();
    return flow;
  }

  /** Waits until all is written, or that has failed. */
  void await(DumpProgress progress) throws InterruptedException {
    while (!thread.join(LOOK_EVERY)) {
      progress.at(bytes.get());
    }
  }

  /** Whether {@code to} has taken less than there was. */
  boolean refused() {
    return writeFailure.isPresent();
  }

  /** Tells the program that it has all. */
  void closeSink() {
    try {
      to.close();
    } catch (IOException itHasEnded) {
      // how, it says itself
    }
  }

  /**
   * @param what was not taken in full: {@code Writing the dump one.dump}
   */
  void requireWritten(String what) {
    writeFailure.ifPresent(e -> {
      throw failed(what, e);
    });
  }

  /**
   * @param what was not read to its end
   */
  void requireRead(String what) {
    readFailure.ifPresent(e -> {
      throw failed(what, e);
    });
  }

  static AppFailure failed(String what, Throwable e) {
    return new AppFailure(
        FailureCode.DATABASE_FAILED,
        "%s failed: %s. Ask who runs this server.".formatted(what, e.getMessage()),
        e);
  }

  private void run() {
    // Whatever fails: a part must not pass for the whole, and nobody may write on into a full pipe.
    try (from) {
      byte[] buffer = new byte[BUFFER];
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        if (!written(buffer, read)) {
          return;
        }
        bytes.addAndGet(read);
      }
    } catch (IOException | RuntimeException | Error e) {
      readFailure = Optional.of(e);
    }
  }

  private boolean written(byte[] buffer, int length) {
    try {
      to.write(buffer, 0, length);
      return true;
    } catch (IOException | RuntimeException | Error e) {
      writeFailure = Optional.of(e);
      return false;
    }
  }
}
