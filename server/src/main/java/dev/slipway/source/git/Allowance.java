package dev.slipway.source.git;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;

/** How much one checkout may hold, its submodules and large files included. */
final class Allowance {
  // The same bounds as for archives.
  private static final int MAX_ENTRIES = 100_000;
  private static final long MAX_BYTES = 2L << 30;

  private int entries;
  private long bytes;

  /** Counts a file, directory or link. */
  void countEntry() {
    if (++entries > MAX_ENTRIES) {
      throw new AppFailure(
          FailureCode.DISK_LIMIT,
          "The repository holds more than %,d files. Remove generated files such as node_modules."
              .formatted(MAX_ENTRIES));
    }
  }

  void countBytes(long more) {
    if (!hasRoomFor(more)) {
      throw new AppFailure(
          FailureCode.DISK_LIMIT, "The files of the commit are larger than 2 GiB together.");
    }
    bytes += more;
  }

  boolean hasRoomFor(long more) {
    return more <= MAX_BYTES - bytes;
  }
}
