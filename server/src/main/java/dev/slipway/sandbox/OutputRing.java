package dev.slipway.sandbox;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * A program's output as one long text of which the newest part is kept, in files of one size that
 * are deleted one by one.
 */
final class OutputRing {
  private OutputRing() {}

  /**
   * @param files oldest first, each with the number of its place in the text
   * @param fileBytes the size of each but the newest
   */
  static Piece read(List<Numbered> files, long fileBytes, long from, int maxBytes) {
    byte[] bytes = new byte[maxBytes];
    int length = 0;
    long begin = from;
    Instant at = Instant.EPOCH;
    for (Numbered each : files) {
      long start = each.number() * fileBytes;
      if (start + fileBytes <= begin + length) {
        continue;
      }
      if (start > begin + length) {
        if (length > 0) {
          break; // deleted while it was read: the next call finds out
        }
        begin = start;
      }
      try (RandomAccessFile file = new RandomAccessFile(each.path().toFile(), "r")) {
        file.seek(begin + length - start);
        at = Instant.ofEpochMilli(each.path().toFile().lastModified());
        for (int read = file.read(bytes, length, maxBytes - length);
            read > 0;
            read = file.read(bytes, length, maxBytes - length)) {
          length += read;
        }
      } catch (FileNotFoundException deleted) {
        continue;
      } catch (IOException e) {
        throw new UncheckedIOException("reading " + each.path() + " failed", e);
      }
      if (length == maxBytes) {
        break;
      }
    }
    return new Piece(begin, Arrays.copyOf(bytes, length), at);
  }

  /** How much there ever was of the text, in bytes. */
  static long end(List<Numbered> files, long fileBytes) {
    // When the program ends a last file is begun that stays empty, and the one before it is short.
    return files.reversed().stream()
        .filter(it -> it.path().toFile().length() > 0)
        .mapToLong(it -> it.number() * fileBytes + it.path().toFile().length())
        .findFirst()
        .orElse(0);
  }

  record Numbered(long number, Path path) {}
}
