package dev.slipway.tool;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of a tool: {@code 22.12.0}, {@code v9.1.0-rc.1}, {@code 3.13}.
 *
 * @param preview what follows the hyphen; empty for a release. Two of the same numbers are ordered
 *     by it as text, before their release
 */
record Version(int major, int minor, int patch, String preview) implements Comparable<Version> {
  private static final Pattern TEXT =
      Pattern.compile(
          "v?(\\d{1,9})(?:\\.(\\d{1,9}))?(?:\\.(\\d{1,9}))?(?:-?((?:[0-9A-Za-z-]+\\.)*[0-9A-Za-z-]+))?(?:\\+\\S*)?");

  private static final Comparator<Version> ORDER =
      Comparator.comparingInt(Version::major)
          .thenComparingInt(Version::minor)
          .thenComparingInt(Version::patch)
          .thenComparing(version -> version.preview().isEmpty())
          .thenComparing(Version::preview);

  static Optional<Version> parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    return matcher.matches()
        ? Optional.of(
            new Version(
                number(matcher.group(1)),
                number(matcher.group(2)),
                number(matcher.group(3)),
                Optional.ofNullable(matcher.group(4)).orElse("")))
        : Optional.empty();
  }

  static Version release(int major, int minor, int patch) {
    return new Version(major, minor, patch, "");
  }

  /** How far it is from another, for the choice of the nearest: a major version counts most. */
  long distance(Version other) {
    return 1_000_000L * Math.abs(major - other.major)
        + 1_000L * Math.abs(minor - other.minor)
        + Math.abs(patch - other.patch);
  }

  @Override
  public int compareTo(Version other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    String numbers = major + "." + minor + "." + patch;
    return preview.isEmpty() ? numbers : numbers + "-" + preview;
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
