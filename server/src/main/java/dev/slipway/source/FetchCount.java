package dev.slipway.source;

import dev.slipway.core.DiskFailures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/**
 * Counts what one fetch writes: packs, those of submodules, large files, and the files of the
 * checkout. Thread-safe.
 */
public final class FetchCount {
  private static final long LOOK_EVERY = 16L << 20;

  private final FetchLimit limit;
  private long bytes;
  private long nextLook;

  public FetchCount(FetchLimit limit) {
    this.limit = limit;
  }

  /**
   * Say it before they are written.
   *
   * @throws dev.slipway.core.AppFailure {@code DISK_LIMIT}, {@code DISK_FULL}
   */
  public synchronized void add(long more) {
    if (more > limit.maxBytes() - bytes) {
      throw DiskFailures.limit(limit.maxBytes());
    }
    bytes += more;
    if (bytes >= nextLook) {
      requireDisk(more);
      nextLook = bytes + LOOK_EVERY;
    }
  }

  private void requireDisk(long more) {
    try {
      Files.createDirectories(limit.scratch());
      long free = Files.getFileStore(limit.scratch()).getUsableSpace();
      if (free - more < limit.minFreeBytes()) {
        throw DiskFailures.full(free);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("asking for free space of " + limit.scratch() + " failed", e);
    }
  }
}
