package dev.slipway.framework;

import dev.slipway.source.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds directories that hold certain files: not far down, and no more than a bounded number. */
public final class DirectoryScan extends SimpleFileVisitor<Path> {
  private static final int MAX_DEPTH = 5;
  private static final int MAX_DIRECTORIES = 10_000;
  private static final Set<String> SKIPPED = Set.of("node_modules", "vendor", "__pycache__");

  private final Path root;
  private final Set<String> names;
  private final Set<String> found = new TreeSet<>();
  private int entered;

  private DirectoryScan(Path root, Set<String> names) {
    this.root = root;
    this.names = names;
  }

  /**
   * The directories with a file of one of the names, sorted, as paths of the checkout; what is
   * hidden or belongs to installed packages is left out.
   *
   * @param directory where to begin; it may be in the result
   */
  public static List<String> below(Checkout checkout, String directory, Set<String> names) {
    DirectoryScan scan = new DirectoryScan(checkout.root(), names);
    try {
      Files.walkFileTree(
          checkout.root().resolve(directory),
          EnumSet.noneOf(FileVisitOption.class),
          MAX_DEPTH,
          scan);
    } catch (IOException e) {
      throw new UncheckedIOException("reading the checkout failed", e);
    }
    return List.copyOf(scan.found);
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    String name = directory.getFileName().toString();
    boolean skipped = SKIPPED.contains(name) || name.startsWith(".");
    boolean inside = !directory.equals(root) && skipped;
    return inside || ++entered > MAX_DIRECTORIES
        ? FileVisitResult.SKIP_SUBTREE
        : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (names.contains(file.getFileName().toString()) && attributes.isRegularFile()) {
      found.add(root.relativize(file.resolveSibling("")).toString());
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) {
    return FileVisitResult.CONTINUE;
  }
}
