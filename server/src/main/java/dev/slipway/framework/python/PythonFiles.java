package dev.slipway.framework.python;

import dev.slipway.source.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The modules of an application: not its tests, not what is only an example, no environment. */
final class PythonFiles {
  private static final int MAX_DEPTH = 6;
  private static final int MAX_FILES = 2000;
  private static final long MAX_BYTES = 512 << 10;
  private static final Set<String> PASSED_OVER =
      Set.of(
          "node_modules",
          "venv",
          "env",
          "site-packages",
          "__pycache__",
          "tests",
          "test",
          "docs",
          "docs_src",
          "examples",
          "example",
          "samples",
          "migrations",
          "alembic",
          "build",
          "dist",
          "benchmarks",
          "notebooks");

  private static final Pattern IMPORT = Pattern.compile("(?m)^[ \\t]*+(?:from|import) fastapi\\b");

  private PythonFiles() {}

  /** From the repository's root, in the order of their names. */
  static List<String> in(Checkout checkout, String directory) {
    Path from = checkout.root().resolve(directory);
    List<String> files = new ArrayList<>();
    if (!Files.isDirectory(from)) {
      return files;
    }
    try {
      Files.walkFileTree(
          from, EnumSet.noneOf(FileVisitOption.class), MAX_DEPTH, visitor(checkout, from, files));
    } catch (IOException e) {
      throw new UncheckedIOException("reading the checkout failed", e);
    }
    files.sort(null);
    return files;
  }

  /** The first module that imports FastAPI. */
  static Optional<String> importing(Checkout checkout, String directory) {
    return in(checkout, directory).stream()
        .filter(file -> checkout.text(file).filter(IMPORT.asPredicate()).isPresent())
        .findFirst();
  }

  private static SimpleFileVisitor<Path> visitor(Checkout checkout, Path from, List<String> files) {
    return new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
        String name = directory.getFileName().toString().toLowerCase(Locale.ROOT);
        boolean passed = PASSED_OVER.contains(name) || name.startsWith(".");
        return passed && !directory.equals(from)
            ? FileVisitResult.SKIP_SUBTREE
            : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        String name = file.getFileName().toString();
        boolean test =
            name.startsWith("test_") || name.endsWith("_test.py") || name.equals("conftest.py");
        if (name.endsWith(".py")
            && !test
            && attributes.isRegularFile()
            && attributes.size() <= MAX_BYTES) {
          files.add(checkout.root().relativize(file).toString());
        }
        return files.size() == MAX_FILES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException e) {
        return FileVisitResult.CONTINUE;
      }
    };
  }
}
