package dev.slipway.framework.python;

import java.nio.file.Path;

/** Ways from the repository's root, empty for the root itself. */
final class Paths {
  private Paths() {}

  static String join(String directory, String name) {
    return directory.isEmpty() ? name : name.isEmpty() ? directory : directory + "/" + name;
  }

  /** The directory above; empty for the root and for what lies right in it. */
  static String above(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** The way from one directory to another, as {@code ../x}; empty where they are the same. */
  static String from(String directory, String other) {
    return Path.of("/" + directory).relativize(Path.of("/" + other)).toString();
  }
}
