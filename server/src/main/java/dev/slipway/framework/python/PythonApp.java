package dev.slipway.framework.python;

/**
 * An application in the source.
 *
 * @param file from the repository's root
 * @param name of the object, or of the function that makes it
 * @param factory whether it is such a function
 * @param importRoot the directory that modules are imported from
 * @param directory where the program runs, so that it finds its files
 */
record PythonApp(String file, String name, boolean factory, String importRoot, String directory) {
  /** As servers are told of it, for example {@code app.main:app}. */
  String target() {
    String below = importRoot.isEmpty() ? file : file.substring(importRoot.length() + 1);
    String module = below.replaceFirst("(?:/__init__)?\\.py$", "").replace('/', '.');
    return module + ":" + name;
  }
}
