package dev.slipway.site;

import dev.slipway.release.ReleaseFiles.Stored;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The content of small files that were asked for of late, as to open one takes longer than to send
 * it. What lies at a path never changes: paths name content. There are two generations: when the
 * young one is full the old one is forgotten and takes its place; what is asked for in the old one
 * becomes young again. Thread-safe.
 */
final class SmallFiles {
  private static final long MOST_BYTES_A_FILE = 32 << 10;

  /** Beside its content, about. */
  private static final int ENTRY_BYTES = 512;

  private final long generationBytes;
  private volatile Generation young = new Generation();
  private volatile Generation old = new Generation();

  private static final class Generation {
    final ConcurrentHashMap<Path, ByteBuffer> files = new ConcurrentHashMap<>();
    final AtomicLong bytes = new AtomicLong();
  }

  /**
   * @param mostBytes of all that is kept, about
   */
  SmallFiles(long mostBytes) {
    this.generationBytes = mostBytes / 2;
  }

  static boolean isSmall(Stored file) {
    return file.bytes() <= MOST_BYTES_A_FILE;
  }

  /** All of it, outside the heap; not to be written to. Reads the file where it is not known. */
  ByteBuffer content(Stored file) throws IOException {
    ByteBuffer known = young.files.get(file.path());
    if (known == null) {
      known = old.files.get(file.path());
      if (known == null) {
        known = read(file);
      }
      keep(file.path(), known);
    }
    return known.duplicate();
  }

  private void keep(Path path, ByteBuffer content) {
    Generation into = young;
    if (into.files.putIfAbsent(path, content) == null
        && into.bytes.addAndGet(content.capacity() + ENTRY_BYTES) > generationBytes) {
      age(into);
    }
  }

  private synchronized void age(Generation full) {
    if (young == full) {
      old = full;
      young = new Generation();
    }
  }

  private static ByteBuffer read(Stored file) throws IOException {
    ByteBuffer content = ByteBuffer.allocateDirect(Math.toIntExact(file.bytes()));
    try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
      while (content.hasRemaining()) {
        if (channel.read(content) < 0) {
          throw new EOFException(file.path() + " is shorter than it was");
        }
      }
    }
    return content.flip().asReadOnlyBuffer();
  }

  /** How many bytes are kept, about. */
  long bytes() {
    return young.bytes.get() + old.bytes.get();
  }
}
