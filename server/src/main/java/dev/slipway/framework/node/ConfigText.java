package dev.slipway.framework.node;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a configuration that is a program. It is not run, so only values that are written out
 * are seen; what is computed counts as absent.
 *
 * @param text without comments
 */
record ConfigText(String text) {
  private static final int MAX_CHARS = 256 << 10;
  private static final String STRING = "(?:'([^'\\\\\\n]*)'|\"([^\"\\\\\\n]*)\"|`([^`\\\\$]*)`)";

  /** {@code "dist"}, or {@code path.resolve(__dirname, "dist")}. */
  private static final String VALUE =
      "(?:(?:[\\w.]+\\.)?(?:resolve|join)\\(\\s*(?:__dirname|import\\.meta\\.dirname|process\\.cwd\\(\\))\\s*,\\s*)?"
          + STRING;

  /** The first of the files that there is. */
  static Optional<ConfigText> of(Place place, List<String> files) {
    return place
        .firstOf(files)
        .flatMap(place::text)
        .filter(text -> text.length() <= MAX_CHARS)
        .map(text -> new ConfigText(Uncommented.text(text)));
  }

  /** The value of a field that is a string by itself. */
  Optional<String> string(String field) {
    Matcher match =
        Pattern.compile(
                "(?<![\\w.$])['\"]?" + field + "['\"]?\\s*[:=]\\s*" + VALUE + "\\s*[,;})\\n]")
            .matcher(text + "\n");
    if (!match.find()) {
      return Optional.empty();
    }
    return Optional.ofNullable(match.group(1))
        .or(() -> Optional.ofNullable(match.group(2)))
        .or(() -> Optional.ofNullable(match.group(3)));
  }

  boolean says(String field, String value) {
    return Pattern.compile("(?<![\\w.$])['\"]?" + field + "['\"]?\\s*:\\s*" + value)
        .matcher(text)
        .find();
  }

  boolean mentions(String word) {
    return Pattern.compile("(?<![\\w$])" + Pattern.quote(word) + "(?![\\w$])").matcher(text).find();
  }
}
