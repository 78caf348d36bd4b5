package dev.slipway.framework.node;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What vite.config and the build script say about a build.
 *
 * @param root the directory with index.html, relative to the application's
 * @param output what the build writes, relative to the application's directory
 * @param base the path below which the site answers, without slashes; empty for all of the host
 */
record ViteConfig(String root, String output, String base) {
  static final List<String> FILES =
      List.of(
          "vite.config.ts",
          "vite.config.js",
          "vite.config.mts",
          "vite.config.mjs",
          "vite.config.cts",
          "vite.config.cjs");
  private static final String DIRECTORY = "dist";
  private static final Pattern OUT_DIR = Pattern.compile("--outDir[ =]+['\"]?([^\\s'\"]+)");
  private static final Pattern BASE = Pattern.compile("--base[ =]+['\"]?([^\\s'\"]+)");

  /**
   * @param build the line that builds, empty for plain {@code vite build}
   */
  static ViteConfig of(Place app, String build) {
    Optional<ConfigText> config = ConfigText.of(app, FILES);
    String root = config.flatMap(text -> text.string("root")).orElse("");
    String output =
        flag(OUT_DIR, build)
            .or(() -> config.flatMap(text -> text.string("outDir")))
            .orElse(DIRECTORY);
    String base =
        flag(BASE, build).or(() -> config.flatMap(text -> text.string("base"))).orElse("/");
    return new ViteConfig(
        root,
        root.isEmpty() ? output : root + "/" + output,
        base.startsWith("/") ? base.replaceAll("^/+|/+$", "") : "");
  }

  private static Optional<String> flag(Pattern flag, String line) {
    Matcher match = flag.matcher(line);
    return match.find() ? Optional.of(match.group(1)) : Optional.empty();
  }
}
