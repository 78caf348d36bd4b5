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

/** Copies a checkout for a build to work on, given to the build's user; the checkout stays. */
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
    try {
      Files.walkFileTree(from, new AppCopy(from, to, user));
    } catch (IOException e) {
      throw new UncheckedIOException("copying the checkout to " + to + " failed", e);
    }
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
      throws IOException {
    user.give(Files.createDirectory(target(directory)));
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    user.give(Files.copy(file, target(file), StandardCopyOption.COPY_ATTRIBUTES, NOFOLLOW_LINKS));
    return FileVisitResult.CONTINUE;
  }

  private Path target(Path path) {
    return to.resolve(from.relativize(path));
  }
}
