package dev.slipway.release;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes that are still there after the machine lost its power. */
final class Disk {
  private Disk() {}

  /** Makes everything on the file system of {@code path} durable, by one call for all files. */
  static void sync(Path path) throws IOException {
    Process sync =
        new ProcessBuilder("sync", "-f", path.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (sync.waitFor() != 0) {
        throw new IOException("sync -f " + path + " failed");
      }
    } catch (InterruptedException e) {
      sync.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while writing to the disk");
    }
  }

  /** The file appears with this text, durably, or not at all. */
  static void writeDurably(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling("." + file.getFileName());
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      var bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    forceDirectory(file.resolveSibling(""));
  }

  /** Makes the names in a directory durable. */
  static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
