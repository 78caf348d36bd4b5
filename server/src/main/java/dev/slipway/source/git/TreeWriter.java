package dev.slipway.source.git;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RawPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CancellationException;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectChecker;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevTree;
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * Writes the files of a commit as they are in git: no filters, attributes, line endings or hooks,
 * so that a repository cannot make us run or read anything. Submodules become empty directories.
 */
final class TreeWriter {
  // The same bounds as for archives.
  private static final int MAX_ENTRIES = 100_000;
  private static final long MAX_BYTES = 2L << 30;
  private static final int MAX_LINK_BYTES = 4096;

  private final Path root;
  private int entries;
  private long bytes;

  /**
   * @param root an empty directory
   */
  TreeWriter(Path root) {
    this.root = root;
  }

  void write(Repository repository, RevTree tree) throws IOException {
    try (TreeWalk walk = new TreeWalk(repository)) {
      walk.addTree(tree);
      while (walk.next()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new CancellationException("writing the files was interrupted");
        }
        Path target = target(walk.getRawPath());
        FileMode mode = walk.getFileMode();
        if (mode.equals(FileMode.TREE)) {
          Files.createDirectory(target);
          walk.enterSubtree();
        } else if (mode.equals(FileMode.GITLINK)) {
          Files.createDirectory(target);
        } else {
          writeBlob(walk, target, mode);
        }
      }
    }
  }

  private Path target(byte[] path) throws IOException {
    if (++entries > MAX_ENTRIES) {
      throw new AppFailure(
          FailureCode.DISK_LIMIT,
          "The repository holds more than %,d files. Remove generated files such as node_modules."
              .formatted(MAX_ENTRIES));
    }
    try {
      // Refuses "..", ".git" in every spelling, empty names and absolute paths.
      new ObjectChecker().checkPath(path, 0, path.length);
    } catch (CorruptObjectException e) {
      throw refused(path, e);
    }
    return RawPath.resolve(root, RawPath.encode(path));
  }

  private void writeBlob(TreeWalk walk, Path target, FileMode mode) throws IOException {
    ObjectReader reader = walk.getObjectReader();
    ObjectLoader blob = reader.open(walk.getObjectId(0), Constants.OBJ_BLOB);
    bytes += blob.getSize();
    if (bytes > MAX_BYTES) {
      throw new AppFailure(
          FailureCode.DISK_LIMIT, "The files of the commit are larger than 2 GiB together.");
    }
    if (mode.equals(FileMode.SYMLINK)) {
      writeLink(walk.getRawPath(), target, blob.getCachedBytes(MAX_LINK_BYTES));
      return;
    }
    // Fails where the name is taken, so nothing is ever written through a link of the repository.
    try (OutputStream out =
        Files.newOutputStream(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      blob.copyTo(out);
    }
    String permissions = mode.equals(FileMode.EXECUTABLE_FILE) ? "rwxr-xr-x" : "rw-r--r--";
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(permissions));
  }

  private static void writeLink(byte[] path, Path target, byte[] link) throws IOException {
    try {
      Files.createSymbolicLink(target, RawPath.path(RawPath.encode(link)));
    } catch (IllegalArgumentException | NoSuchFileException e) {
      // A target with a NUL byte, or an empty one.
      throw refused(path, e);
    }
  }

  private static AppFailure refused(byte[] path, Exception cause) {
    return new AppFailure(
        FailureCode.ARCHIVE_REFUSED,
        "The repository holds a file that is not allowed: %s. Remove it from the commit."
            .formatted(RawPath.encode(path)),
        cause);
  }
}
