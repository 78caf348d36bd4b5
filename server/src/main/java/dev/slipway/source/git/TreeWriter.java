package dev.slipway.source.git;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RawPath;
import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * For one tree.
 */
final class TreeWriter {
  private static final int MAX_LINK_BYTES = 4096;

  /** Larger files of these names are written, but not read. */
  private static final int MAX_TEXT_BYTES = 1 << 20;

  private static final String ADDRESSES = ".gitmodules";
  private static final String ATTRIBUTES = ".gitattributes";
  private static final String LARGE_FILES = "filter=lfs";

  private final Path root;
  private final Allowance allowance;
  private final FetchCount count;
  private final List<WrittenTree.Submodule> submodules = new ArrayList<>();
  private final List<WrittenTree.Pointer> pointers = new ArrayList<>();
  private Optional<String> addresses = Optional.empty();
  private boolean namesLargeFiles;

  /**
   * @param root an empty directory
   */
  TreeWriter(Path root, Allowance allowance, FetchCount count) {
    this.root = root;
    this.allowance = allowance;
    this.count = count;
  }

  WrittenTree write(Repository repository, RevTree tree) throws IOException {
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
          submodules.add(
              new WrittenTree.Submodule(
                  RawPath.encode(walk.getRawPath()), walk.getObjectId(0).name()));
        } else {
          writeBlob(walk, target, mode);
        }
      }
    }
    return new WrittenTree(submodules, addresses, namesLargeFiles ? pointers : List.of());
  }

  private Path target(byte[] path) throws IOException {
    allowance.countEntry();
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
    allowance.countBytes(blob.getSize());
    count.add(blob.getSize());
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
    read(RawPath.encode(walk.getRawPath()), blob);
  }

  /** Which files an attribute is for is not looked at: its patterns can take for ever to match. */
  private void read(String path, ObjectLoader blob) throws IOException {
    if (blob.getSize() <= LfsPointer.MAX_BYTES) {
      LfsPointer.parse(blob.getCachedBytes())
          .ifPresent(pointer -> pointers.add(new WrittenTree.Pointer(path, pointer)));
    }
    if (blob.getSize() > MAX_TEXT_BYTES) {
      return;
    }
    if (path.equals(ADDRESSES)) {
      addresses = Optional.of(text(blob));
    } else if (path.equals(ATTRIBUTES) || path.endsWith("/" + ATTRIBUTES)) {
      namesLargeFiles |= text(blob).contains(LARGE_FILES);
    }
  }

  private static String text(ObjectLoader blob) throws IOException {
    return new String(blob.getCachedBytes(MAX_TEXT_BYTES), StandardCharsets.UTF_8);
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
