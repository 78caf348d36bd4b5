package dev.slipway.framework.node;

import dev.slipway.framework.Tool;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The version of Node that an application asks for. A version that somebody works with counts more
 * than a range that should do; the application's own word more than that of its workspace.
 *
 * @param range as npm or {@code .nvmrc} writes it, {@code lts/iron} for example
 * @param origin where it is written, for people
 */
record NodeVersions(String range, String origin) {
  private static final String TOOL = "node";

  // Nothing else: a range ends up in a package's name, where "npm:other" would be another package.
  private static final Pattern RANGE =
      Pattern.compile(
          "[0-9xX*.<>=^~|\\s-]+|[0-9.]+-[0-9A-Za-z.-]+|lts/[*A-Za-z]+|node|stable|latest");

  static Optional<NodeVersions> of(Place app, Place root) {
    return Stream.of(app, root).flatMap(place -> ofPlace(place).stream()).findFirst();
  }

  static boolean isRange(String text) {
    return text.length() <= 100 && RANGE.matcher(text).matches();
  }

  Tool tool() {
    return new Tool(TOOL, range);
  }

  private static Optional<NodeVersions> ofPlace(Place place) {
    Stream<Function<Place, Optional<NodeVersions>>> origins =
        Stream.of(
            it -> ofFile(it, ".nvmrc"),
            it -> ofFile(it, ".node-version"),
            it -> ofManifest(it, "volta", "node"),
            NodeVersions::ofToolVersions,
            NodeVersions::ofDevelopmentEngines,
            it -> ofManifest(it, "engines", "node"));
    return origins
        .flatMap(origin -> origin.apply(place).stream())
        .filter(found -> isRange(found.range()))
        .findFirst();
  }

  private static Optional<NodeVersions> ofFile(Place place, String file) {
    return place
        .text(file)
        .flatMap(text ->
            text.lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .findFirst())
        .map(version -> new NodeVersions(plain(version), file));
  }

  private static Optional<NodeVersions> ofManifest(Place place, String... field) {
    return place
        .manifest()
        .flatMap(manifest -> manifest.text(field))
        .map(range -> new NodeVersions(plain(range), String.join(".", field)));
  }

  private static Optional<NodeVersions> ofToolVersions(Place place) {
    Matcher match =
        Pattern.compile("(?m)^[ \\t]*+(?:nodejs|node)[ \\t]++(\\S+)")
            .matcher(place.text(".tool-versions").orElse(""));
    return match.find()
        ? Optional.of(new NodeVersions(plain(match.group(1)), ".tool-versions"))
        : Optional.empty();
  }

  private static Optional<NodeVersions> ofDevelopmentEngines(Place place) {
    return place
        .manifest()
        .filter(
            manifest -> manifest.text("devEngines", "runtime", "name").equals(Optional.of(TOOL)))
        .flatMap(manifest -> manifest.text("devEngines", "runtime", "version"))
        .map(range -> new NodeVersions(plain(range), "devEngines.runtime"));
  }

  /** {@code v18.2.0} is a version for nvm, not for npm. */
  private static String plain(String range) {
    return range.replaceAll("(?<![A-Za-z0-9])v(?=\\d)", "");
  }
}
