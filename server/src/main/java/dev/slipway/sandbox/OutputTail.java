package dev.slipway.sandbox;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a program's output, which is in a ring of files. */
final class OutputTail {
  /** However many lines are asked for, no more than this is read. */
  private static final int MAX_BYTES = 1 << 20;

  private OutputTail() {}

  /**
   * The newest lines of these files, oldest first; a line that is not complete yet counts.
   *
   * @param files oldest first; one that is deleted meanwhile counts as empty
   */
  static List<String> of(List<Path> files, int maxLines) {
    byte[] tail = new byte[0];
    for (Path file : files.reversed()) {
      if (tail.length < MAX_BYTES) {
        byte[] older = end(file, MAX_BYTES - tail.length);
        byte[] joined = new byte[older.length + tail.length];
        System.arraycopy(older, 0, joined, 0, older.length);
        System.arraycopy(tail, 0, joined, older.length, tail.length);
        tail = joined;
      }
    }
    List<String> lines = new String(tail, StandardCharsets.UTF_8).lines().toList();
    return List.copyOf(lines.subList(Math.max(0, lines.size() - maxLines), lines.size()));
  }

  private static byte[] end(Path path, int maxBytes) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long length = file.length();
      byte[] bytes = new byte[(int) Math.min(length, maxBytes)];
      file.seek(length - bytes.length);
      file.readFully(bytes);
      return bytes;
    } catch (IOException gone) {
      return new byte[0];
    }
  }
}
