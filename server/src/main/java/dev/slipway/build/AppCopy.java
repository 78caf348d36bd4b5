package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Copies files for a build to work on, given to the build's user. */
final class AppCopy extends SimpleFileVisitor<Path> {
  private final Path from;
  private final Path to;
  private final BuildUser user;

  private AppCopy(Path from, Path to, BuildUser user) {
    this.from = from;
    this.to = to;
    this.user = user;
  }

  /**
   * @param to must not exist
   */
  static void copy(Path from, Path to, BuildUser user) {
    copyBelow(from, to, user);
  }

  /** Copies what {@code to} does not have. */
  static void copyBelow(Path from, Path to, BuildUser user) {
    try {
      Files.walkFileTree(from, new AppCopy(from, to, user));
    } catch (IOException e) {
      throw new UncheckedIOException("copying " + from + " to " + to + " failed", e);
    }
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
      throws IOException {
    Path target = target(directory);
    if (!Files.exists(target, NOFOLLOW_LINKS)) {
      user.give(Files.createDirectory(target));
    }
    return Files.isDirectory(target, NOFOLLOW_LINKS)
        ? FileVisitResult.CONTINUE
        : FileVisitResult.SKIP_SUBTREE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    Path target = target(file);
    if (!Files.exists(target, NOFOLLOW_LINKS)) {
      user.give(Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES, NOFOLLOW_LINKS));
    }
    return FileVisitResult.CONTINUE;
  }

  private Path target(Path path) {
    return to.resolve(from.relativize(path));
  }
}
