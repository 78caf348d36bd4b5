package dev.slipway.database;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** A file of ours alone (0600) that has its name once all of it is on the disk, or never. */
final class WholeFile implements AutoCloseable {
  private final Path file;
  private final Path draft;
  private final FileChannel channel;

  /**
   * @param file in a directory that exists
   */
  WholeFile(Path file) throws IOException {
    this.file = file;
    this.draft = file.resolveSibling("." + file.getFileName() + ".unfinished");
    Files.deleteIfExists(draft); // of a server that was killed
    this.channel =
        FileChannel.open(
            draft,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /** Stays open when that is closed. */
  OutputStream out() {
    return new FilterOutputStream(Channels.newOutputStream(channel)) {
      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
      }

      @Override
      public void close() {
        // finish() does the rest
      }
    };
  }

  /** Answers its size in bytes. */
  long finish() throws IOException {
    channel.force(true);
    long bytes = channel.size();
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true);
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(draft);
  }
}
