package dev.slipway.framework.hosts;

import java.nio.file.Path;

/** Paths of directories as people write them: {@code ./dist/}, {@code /dist}, {@code .}. */
final class Directories {
  private Directories() {}

  /** Without what means nothing; empty for the directory itself. */
  static String plain(String path) {
    // A slash at the beginning means the repository's root everywhere where such files are read.
    return Path.of(path.strip().replaceFirst("^/+", "")).normalize().toString();
  }

  static boolean isInside(String path) {
    return path.chars().noneMatch(c -> c < ' ')
        && path.length() <= 1024
        && !Path.of(path).isAbsolute()
        && !Path.of(path).normalize().startsWith("..");
  }

  /** The way to {@code name} in a directory, from the root. */
  static String join(String directory, String name) {
    return directory.isEmpty() ? name : directory + "/" + name;
  }
}
