package dev.slipway.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Whoever relies on objects that no manifest names yet reads; whoever deletes any writes. */
final class StoreLock {
  private final Path directory;
  private final ReadWriteLock lock = new ReentrantReadWriteLock(true);

  /**
   * @param directory for messages
   */
  StoreLock(Path directory) {
    this.directory = directory;
  }

  interface Reading<T> {
    T run() throws IOException;
  }

  interface Deleting {
    void run() throws IOException;
  }

  <T> T reading(Reading<T> work) {
    lock.readLock().lock();
    try {
      return work.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the release store in " + directory + " failed", e);
    } finally {
      lock.readLock().unlock();
    }
  }

  void deleting(Deleting work) {
    lock.writeLock().lock();
    try {
      work.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the release store in " + directory + " failed", e);
    } finally {
      lock.writeLock().unlock();
    }
  }
}
