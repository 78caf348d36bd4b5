package dev.slipway.framework.node;

/** Names of steps: files are called by them, so no more than letters, digits and a few signs. */
final class StepNames {
  private StepNames() {}

  /** What is done, and where: {@code build-packages.ui}; just what, for the root. */
  static String of(String what, String directory) {
    String where = directory.replace('/', '.').replaceAll("[^A-Za-z0-9_.-]+", "-");
    return where.isEmpty() ? what : what + "-" + where;
  }
}
