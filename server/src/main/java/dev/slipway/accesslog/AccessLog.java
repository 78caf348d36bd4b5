package dev.slipway.accesslog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line of JSON for each request, in files. Whoever writes lines never waits for the disk: they
 * are handed over in blocks to a thread of its own, and are lost and counted where that cannot keep
 * up. Thread-safe.
 */
public final class AccessLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AccessLog.class);

  /**
   * Blocks that wait for the disk; with those that are being filled, all that is ever in memory.
   */
  private static final int WAITING_BLOCKS = 64;

  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

  private final BlockingQueue<Block> full = new ArrayBlockingQueue<>(WAITING_BLOCKS);
  private final BlockingQueue<Block> empty = new ArrayBlockingQueue<>(WAITING_BLOCKS);
  private final LongAdder lost = new LongAdder();
  private final Optional<LogFiles> files;
  private final Optional<Thread> writer;
  private volatile boolean closed;
  private long toldLost;
  private long nextWarningNanos = System.nanoTime();

  /** Lines that go to the file together. */
  static final class Block {
    static final int BYTES = 64 << 10;

    final byte[] bytes = new byte[BYTES];
    int length;
    int lines;

    Block emptied() {
      length = 0;
      lines = 0;
      return this;
    }
  }

  private AccessLog(Optional<LogFiles> files) {
    this.files = files;
    this.writer =
        files.map(it -> Thread.ofPlatform().daemon().name("access log").start(() -> write(it)));
  }

  /**
   * Writes to {@code access.log} in a folder.
   *
   * @param keep how long a file is kept
   * @param maxBytes of all files together
   */
  public static AccessLog in(Path folder, Duration keep, long maxBytes) {
    try {
      return new AccessLog(Optional.of(LogFiles.in(folder, keep, maxBytes)));
    } catch (IOException e) {
      throw new UncheckedIOException("The access log cannot be written: " + e.getMessage(), e);
    }
  }

  /** Writes nothing. */
  public static AccessLog off() {
    return new AccessLog(Optional.empty());
  }

  /** Whether lines are wanted. */
  public boolean isOn() {
    return files.isPresent();
  }

  /** What one thread writes its lines to. */
  public AccessLines lines() {
    return new AccessLines(this);
  }

  /** How many lines were lost since the start, as the disk was too slow or full. */
  public long lost() {
    return lost.sum();
  }

  Block block() {
    Block used = empty.poll();
    return used == null ? new Block() : used.emptied();
  }

  /** Takes a block over and answers the next one to fill; the same one where there is no room. */
  Block handOver(Block block) {
    if (closed || !full.offer(block)) {
      lost.add(block.lines);
      return block.emptied();
    }
    return block();
  }

  private void write(LogFiles target) {
    try {
      while (!closed || !full.isEmpty()) {
        Block block = full.poll(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        if (block == null) {
          target.idle();
        } else {
          try {
            target.append(block.bytes, block.length);
          } catch (IOException e) {
            lost.add(block.lines);
            warn("the access log cannot be written: " + e);
          }
          var _ = empty.offer(block);
        }
        if (lost.sum() > toldLost) {
          warn("the disk is too slow for the access log");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      target.close();
    }
  }

  private void warn(String what) {
    long now = System.nanoTime();
    if (now - nextWarningNanos >= 0) {
      nextWarningNanos = now + BETWEEN_WARNINGS.toNanos();
      toldLost = lost.sum();
      log.warn("{} ({} lines lost until now)", what, toldLost);
    }
  }

  /** Writes what has been handed over, and ends. Blocks; may be called again. */
  @Override
  public void close() {
    closed = true;
    var _ = full.offer(new Block()); // The writer need not wait for one that never comes.
    try {
      if (writer.isPresent()) {
        writer.get().join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
