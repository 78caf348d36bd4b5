package dev.slipway.sandbox;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The marks that an overlay leaves in its upper directory where programs took away what lies below.
 * No overlay may be mounted on it any more.
 */
public final class OverlayChanges {
  /** Below {@code user.}, as all our overlays are mounted with {@code userxattr}. */
  private static final String OPAQUE = "overlay.opaque";

  private final Path upper;
  private final List<Path> whiteouts = new ArrayList<>();
  private final List<Path> opaque = new ArrayList<>();

  private OverlayChanges(Path upper) {
    this.upper = upper;
  }

  /**
   * @param upper a directory, of whatever user; those in it are made readable for us
   */
  public static OverlayChanges of(Path upper) {
    OverlayChanges changes = new OverlayChanges(upper);
    try {
      changes.read(upper);
      return changes;
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + upper + " failed", e);
    }
  }

  /**
   * Where nothing of the layers below is seen, relative to the upper directory: what was deleted,
   * and directories that were made anew in the place of others.
   */
  public List<Path> removed() {
    List<Path> removed = new ArrayList<>();
    whiteouts.forEach(path -> removed.add(upper.relativize(path)));
    opaque.forEach(path -> removed.add(upper.relativize(path)));
    return removed;
  }

  /** Takes the marks away: what is left is what programs wrote. */
  public void clear() {
    try {
      for (Path path : whiteouts) {
        Files.deleteIfExists(path);
      }
      for (Path path : opaque) {
        attributes(path).delete(OPAQUE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("changing " + upper + " failed", e);
    }
  }

  private void read(Path directory) throws IOException {
    if (!Files.isReadable(directory) || !Files.isExecutable(directory)) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
    try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
      for (Path child : children) {
        PosixFileAttributes file =
            Files.readAttributes(child, PosixFileAttributes.class, NOFOLLOW_LINKS);
        if (file.isDirectory()) {
          if (opaqueMark(child).isPresent()) {
            opaque.add(child);
          }
          read(child);
        } else if (file.isOther() && isWhiteout(child)) {
          whiteouts.add(child);
        }
      }
    }
  }

  /** A character device of the number 0, which no program in a sandbox can make itself. */
  private static boolean isWhiteout(Path path) throws IOException {
    int mode = (Integer) Files.getAttribute(path, "unix:mode", NOFOLLOW_LINKS);
    long device = (Long) Files.getAttribute(path, "unix:rdev", NOFOLLOW_LINKS);
    return (mode & 0170000) == 0020000 && device == 0;
  }

  private static Optional<String> opaqueMark(Path directory) throws IOException {
    try {
      return attributes(directory).size(OPAQUE) > 0 ? Optional.of(OPAQUE) : Optional.empty();
    } catch (FileSystemException absent) {
      return Optional.empty();
    }
  }

  private static UserDefinedFileAttributeView attributes(Path directory) {
    return Files.getFileAttributeView(directory, UserDefinedFileAttributeView.class);
  }
}
