package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Keeps a second server off a directory. The kernel lets go of it however the process ends. */
public final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws IllegalStateException with a sentence for the operator where another server has it
   */
  public static DirectoryLock acquire(Path directory) {
    return tryAcquire(directory)
        .orElseThrow(() ->
            new IllegalStateException(
                "another server uses %s: stop it first, or give this one a data_dir of its own"
                    .formatted(directory)));
  }

  /** Empty where another has it. */
  static Optional<DirectoryLock> tryAcquire(Path directory) {
    Path file = directory.resolve("lock");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel)) {
        return Optional.of(new DirectoryLock(channel));
      }
      channel.close();
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + file, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot release a lock", e);
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // held by this very process
    }
  }
}
