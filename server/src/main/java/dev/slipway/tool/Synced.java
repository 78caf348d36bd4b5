package dev.slipway.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Brings files to the disk, where a crash of the host leaves them. */
final class Synced {
  /** The file system takes them together: thousands of small ones in one second instead of ten. */
  private static final int AT_ONCE = 32;

  private Synced() {}

  /** The tree with all of its files and directories. */
  static void all(Path tree) throws IOException {
    List<Future<?>> synced = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        Stream<Path> paths = Files.walk(tree)) {
      paths
          .filter(path -> !Files.isSymbolicLink(path))
          .forEach(path -> synced.add(threads.submit(() -> one(path))));
    }
    for (Future<?> one : synced) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof UncheckedIOException cause
            ? cause.getCause()
            : new IOException("bringing " + tree + " to the disk failed", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // they are done: the threads have ended
      }
    }
  }

  static void one(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
