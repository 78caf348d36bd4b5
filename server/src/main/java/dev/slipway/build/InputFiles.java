package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds the files of a checkout that decide what an install brings. */
final class InputFiles {
  private InputFiles() {}

  /**
   * Regular files and links, relative to {@code root}, in an order of their own.
   *
   * @param inputs paths of files, or of directories for all that is in them, or globs, in which
   *     {@code **}{@code /} also stands for nothing
   */
  static List<Path> of(Path root, List<String> inputs) {
    TreeSet<Path> files = new TreeSet<>();
    List<PathMatcher> globs = new ArrayList<>();
    for (String input : inputs) {
      if (isGlob(input)) {
        globs.add(glob(input));
        globs.add(glob(input.replace("**/", "")));
      } else {
        addAll(root, root.resolve(input).normalize(), files);
      }
    }
    if (!globs.isEmpty()) {
      TreeSet<Path> all = new TreeSet<>();
      addAll(root, root, all);
      all.stream()
          .filter(file -> globs.stream().anyMatch(glob -> glob.matches(file)))
          .forEach(files::add);
    }
    return List.copyOf(files);
  }

  private static boolean isGlob(String input) {
    return input.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  private static PathMatcher glob(String pattern) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
  }

  private static void addAll(Path root, Path start, Set<Path> files) {
    if (!start.startsWith(root) || !Files.exists(start, NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(start)) {
      all.filter(path -> !Files.isDirectory(path, NOFOLLOW_LINKS))
          .map(root::relativize)
          .forEach(files::add);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + start + " failed", e);
    }
  }
}
