package dev.slipway.recovery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that gets its name when it is whole. It is its owner's alone (0600), and gone where it was
 * not finished: also after a Ctrl-C, and after a kill with the next one of that name.
 */
final class UnfinishedFile implements AutoCloseable {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  private final Path unfinished;
  private final Path scratch;
  private final FileChannel channel;
  private final Thread removal = new Thread(this::remove, "removal of an unfinished file");

  private UnfinishedFile(Path file) throws IOException {
    this.file = file;
    this.unfinished = file.resolveSibling(".unfinished-" + file.getFileName());
    this.scratch = unfinished.resolveSibling(unfinished.getFileName() + ".part");
    requireNobodyWrites();
    remove(); // of one that was killed
    this.channel = create(unfinished);
    if (channel.tryLock() == null) {
      throw alreadyWritten();
    }
    Runtime.getRuntime().addShutdownHook(removal);
  }

  /**
   * @throws IllegalStateException with a sentence for the operator where it exists, is being
   *     written, or its folder is missing
   */
  static UnfinishedFile of(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalStateException(file + " exists, and is not overwritten");
    }
    try {
      UnfinishedFile made = new UnfinishedFile(file);
      create(made.scratch).close();
      return made;
    } catch (NoSuchFileException e) {
      throw new IllegalStateException("%s is in no folder that exists".formatted(file), e);
    }
  }

  FileChannel channel() {
    return channel;
  }

  /** A further one beside it, empty at first, which is never finished. */
  Path scratch() {
    return scratch;
  }

  /** Gives it its name, once it is on disk; answers its size in bytes. */
  long finish() throws IOException {
    channel.force(true);
    long bytes = channel.size();
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    return bytes;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(removal);
    } catch (IllegalStateException e) {
      return; // it is at work
    }
    remove();
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing " + unfinished + " failed", e);
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY);
  }

  private void requireNobodyWrites() throws IOException {
    if (!Files.exists(unfinished, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (FileChannel found =
        FileChannel.open(unfinished, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (found.tryLock() == null) {
        throw alreadyWritten();
      }
    } catch (OverlappingFileLockException e) {
      throw alreadyWritten();
    }
  }

  private IllegalStateException alreadyWritten() {
    return new IllegalStateException(file + " is being written by another backup");
  }

  private void remove() {
    try {
      Files.deleteIfExists(scratch);
      Files.deleteIfExists(unfinished);
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + unfinished + " failed", e);
    }
  }
}
