package dev.slipway.framework.hosts;

import java.nio.file.Path;
import java.util.Optional;

/** Paths of directories as people write them: {@code ./dist/}, {@code /dist}, {@code .}. */
final class Directories {
  private Directories() {}

  /** Without what means nothing; empty for the directory itself. What is no path stays. */
  static String plain(String path) {
    if (!isText(path)) {
      return path;
    }
    // A slash at the beginning means the repository's root everywhere where such files are read.
    return Path.of(path.strip().replaceFirst("^/+", "")).normalize().toString();
  }

  static boolean isInside(String path) {
    return isText(path)
        && path.length() <= 1024
        && !Path.of(path).isAbsolute()
        && !Path.of(path).normalize().startsWith("..");
  }

  /** The root directory as it was given; the root itself where that is none of the repository. */
  static String given(Optional<String> root) {
    return root.filter(Directories::isInside).map(Directories::plain).orElse("");
  }

  private static boolean isText(String path) {
    return path.chars().noneMatch(c -> c < ' ');
  }

  /** The way to {@code name} in a directory, from the root. */
  static String join(String directory, String name) {
    return directory.isEmpty() ? name : directory + "/" + name;
  }
}
