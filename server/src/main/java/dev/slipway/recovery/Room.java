package dev.slipway.recovery;

import dev.slipway.core.DiskFailures;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How much may be put on a disk.
 *
 * @param directory of that disk
 * @param minFreeBytes that it must have left
 */
record Room(Path directory, long minFreeBytes) {
  private static final int LOOK_EVERY_BYTES = 16 << 20;

  /**
   * @throws IllegalStateException with a sentence for the operator where too little would be left
   */
  void require(long bytes) throws IOException {
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free - bytes < minFreeBytes) {
      throw new IllegalStateException(
          "the disk of %s has %,d MiB left, and %,d MiB are needed, with the %,d MiB of limits.disk_free_min: give it more room, or name another data_dir"
              .formatted(directory, free >> 20, (bytes + minFreeBytes) >> 20, minFreeBytes >> 20));
    }
  }

  /** What is read is written there by somebody else: rows that were compressed may be many. */
  InputStream watching(InputStream in) {
    return new Watched(in, this);
  }

  /** Whether it failed because a disk was full. */
  static boolean isFull(Throwable failure) {
    return Stream.<Throwable>iterate(failure, it -> it != null, Throwable::getCause)
        .anyMatch(DiskFailures::says);
  }

  private static final class Watched extends FilterInputStream {
    private final Room room;
    private long sinceLook;

    private Watched(InputStream in, Room room) {
      super(in);
      this.room = room;
    }

    @Override
    public int read() throws IOException {
      look(1);
      return super.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int read = super.read(to, offset, length);
      look(read);
      return read;
    }

    private void look(int read) throws IOException {
      sinceLook += read;
      if (sinceLook >= LOOK_EVERY_BYTES) {
        sinceLook = 0;
        room.require(0);
      }
    }
  }
}
