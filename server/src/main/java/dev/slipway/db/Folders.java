package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the cluster's start needs of the file system beyond the JDK's single calls. */
final class Folders {
  /** What is below a name with this prefix was never finished: the next start removes it. */
  static final String UNFINISHED = ".unfinished-";

  private Folders() {}

  /** Makes it with exactly these permissions, whatever the umask says. */
  static Path create(Path folder, String permissions) {
    Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permissions);
    try {
      Files.createDirectories(folder);
      return Files.setPosixFilePermissions(folder, wanted);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the folder " + folder, e);
    }
  }

  /** Leaves the permissions of one that is there alone. */
  static void createIfAbsent(Path folder) {
    if (!Files.isDirectory(folder)) {
      create(folder, "rwxr-xr-x");
    }
  }

  static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException error)
              throws IOException {
            if (error != null) {
              throw error;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Gives the tree to the owner; links themselves are given, never what they point at. */
  static void giveTree(Path root, UserPrincipal owner) throws IOException {
    try (var paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.getFileAttributeView(path, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setOwner(owner);
      }
    }
  }

  /** Makes renames inside the folder last through a loss of power. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static void deleteUnfinished(Path parent) throws IOException {
    try (var entries = Files.newDirectoryStream(parent, UNFINISHED + "*")) {
      for (Path entry : entries) {
        deleteTree(entry);
      }
    }
  }
}
