package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Deletes what programs leave behind. */
public final class Trees {
  private Trees() {}

  /**
   * Deletes {@code root} and all below it, read-only directories and those of other users too;
   * never follows a link. Does nothing where it is gone; may be called by several at once. Nothing
   * may still be writing there.
   */
  public static void delete(Path root) {
    try {
      deleteTree(root);
    } catch (IOException unusual) {
      // A program may leave what has too long a path for us, or names that we cannot write.
      Commands.run(List.of("rm", "-rf", "--", root.toString()));
    }
    if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      throw new UncheckedIOException(new IOException("deleting " + root + " failed"));
    }
  }

  private static void deleteTree(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      if (!(Files.isReadable(path) && Files.isWritable(path) && Files.isExecutable(path))) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
      }
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
        for (Path entry : entries) {
          deleteTree(entry);
        }
      } catch (NoSuchFileException deletedMeanwhile) {
        return;
      }
    }
    Files.deleteIfExists(path);
  }
}
