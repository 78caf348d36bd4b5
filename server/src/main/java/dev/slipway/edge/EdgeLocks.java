package dev.slipway.edge;

import dev.slipway.core.EdgeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Locks that edge processes hold for as long as they live, by the kernel: whoever is killed holds
 * his no more. They are seen by processes of the same machine, and edges run on no other.
 */
public record EdgeLocks(Path folder) {
  private static final String SUFFIX = ".lock";

  /** Held until it is closed or the process ends. */
  public interface Held extends AutoCloseable {
    @Override
    void close() throws IOException;
  }

  /** To be called before the edge is made known. */
  public Held hold(EdgeId edge) throws IOException {
    FileChannel channel =
        FileChannel.open(file(edge), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      channel.close();
      throw new IOException(file(edge) + " is locked by another process");
    }
    return () -> {
      Files.deleteIfExists(file(edge));
      channel.close();
    };
  }

  /** Whether the process of this edge lives, though it may stand still. */
  boolean held(EdgeId edge) {
    if (!Files.exists(file(edge))) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file(edge), StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException ofThisProcess) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether any edge process lives. */
  public boolean anyHeld() {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .anyMatch(name -> held(new EdgeId(name.substring(0, name.length() - SUFFIX.length()))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What an edge that was killed has left. */
  void clear(EdgeId edge) {
    try {
      Files.deleteIfExists(file(edge));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(EdgeId edge) {
    return folder.resolve(edge + SUFFIX);
  }
}
