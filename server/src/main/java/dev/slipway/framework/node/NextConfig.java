package dev.slipway.framework.node;

import java.util.List;
import java.util.Optional;

/**
 * What next.config says about a build.
 *
 * @param output {@code export}, {@code standalone} or empty
 * @param distDir where the build goes
 * @param basePath the path below which it answers, without slashes; empty for all of the host
 */
record NextConfig(String output, String distDir, String basePath) {
  static final List<String> FILES =
      List.of(
          "next.config.ts",
          "next.config.mjs",
          "next.config.js",
          "next.config.cjs",
          "next.config.mts");
  static final String DIST_DIR = ".next";

  static NextConfig of(Place app) {
    Optional<ConfigText> config = ConfigText.of(app, FILES);
    return new NextConfig(
        config.flatMap(text -> text.string("output")).orElse(""),
        config.flatMap(text -> text.string("distDir")).orElse(DIST_DIR),
        config.flatMap(text -> text.string("basePath")).orElse("").replaceAll("^/+|/+$", ""));
  }

  boolean isExport() {
    return output.equals("export");
  }

  boolean isStandalone() {
    return output.equals("standalone");
  }

  /** Where an export goes: a distDir of its own takes the place of {@code out}. */
  String exported() {
    return distDir.equals(DIST_DIR) ? "out" : distDir;
  }
}
