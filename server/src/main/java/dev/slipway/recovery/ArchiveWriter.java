package dev.slipway.recovery;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.function.LongConsumer;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Writes an archive, a tar file, whole or not at all. Not thread-safe. */
final class ArchiveWriter implements AutoCloseable {
  private static final int EXECUTABLE_MODE = 0755;
  private static final int PLAIN_MODE = 0644;

  private final UnfinishedFile file;
  private final OutputStream out;
  private final TarArchiveOutputStream tar;
  private final LongConsumer progress;
  private final Checksum checksum = new Checksum();
  private final byte[] buffer = new byte[1 << 16];

  /**
   * @param file that does not exist
   * @param progress told again and again how many bytes are written
   * @throws IllegalStateException with a sentence for the operator where it does
   */
  ArchiveWriter(Path file, LongConsumer progress) throws IOException {
    this.file = UnfinishedFile.of(file);
    this.out = new BufferedOutputStream(Channels.newOutputStream(this.file.channel()), 1 << 16);
    this.tar = new TarArchiveOutputStream(out, "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    this.progress = progress;
  }

  /** A file beside the archive, for its owner alone, which is gone when this is closed. */
  Path scratch() {
    return file.scratch();
  }

  void add(String name, byte[] content) throws IOException {
    begin(name, content.length, PLAIN_MODE, 0);
    addBytes(new ByteArrayInputStream(content), content.length);
  }

  /** False where it is not there. */
  boolean add(String name, Path source) throws IOException {
    try (InputStream in = Files.newInputStream(source)) {
      BasicFileAttributes found = Files.readAttributes(source, BasicFileAttributes.class);
      int mode = Files.isExecutable(source) ? EXECUTABLE_MODE : PLAIN_MODE;
      begin(name, found.size(), mode, found.lastModifiedTime().toInstant().getEpochSecond());
      addBytes(in, found.size());
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** All files below a directory; nothing where there is none. */
  void addTree(String name, Path root) throws IOException {
    if (!Files.isDirectory(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path found, BasicFileAttributes attributes)
              throws IOException {
            // What begins with a dot, or is partial, is not finished.
            String file = root.relativize(found).toString();
            if (attributes.isRegularFile() && Layout.isUnpacked(name + "/" + file)) {
              add(name + "/" + file, found);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path gone, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // nothing that a row names
            }
            throw e;
          }
        });
  }

  /** Gives it its name, once it is on disk; answers its size in bytes. */
  long finish() throws IOException {
    byte[] sum = checksum.value().getBytes(StandardCharsets.US_ASCII);
    begin(Layout.CHECKSUM, sum.length, PLAIN_MODE, 0);
    addBytes(new ByteArrayInputStream(sum), sum.length);
    tar.finish();
    out.flush(); // which the tar does not pass on
    return file.finish();
  }

  private void begin(String name, long bytes, int mode, long modifiedSecond) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(bytes);
    entry.setMode(mode);
    entry.setModTime(FileTime.from(Instant.ofEpochSecond(modifiedSecond)));
    tar.putArchiveEntry(entry);
    checksum.begin(name, bytes, mode, modifiedSecond);
  }

  /** So many, and not what somebody adds meanwhile. */
  private void addBytes(InputStream in, long bytes) throws IOException {
    long left = bytes;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (read < 0) {
        throw new IOException("a file became shorter while it was read");
      }
      checksum.update(buffer, read);
      tar.write(buffer, 0, read);
      progress.accept(tar.getBytesWritten());
      left -= read;
    }
    tar.closeArchiveEntry();
  }

  /** Leaves nothing of one that was not finished. */
  @Override
  public void close() {
    file.close();
  }
}
