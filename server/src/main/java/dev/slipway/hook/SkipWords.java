package dev.slipway.hook;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words by which somebody who commits asks for nothing to be done. */
final class SkipWords {
  private static final Pattern WORDS =
      Pattern.compile("\\[(skip ci|ci skip|skip deploy|no ci)]", Pattern.CASE_INSENSITIVE);

  private SkipWords() {}

  /** Those that are in the text, as they are written there. */
  static Optional<String> in(String text) {
    Matcher found = WORDS.matcher(text);
    return found.find() ? Optional.of(found.group()) : Optional.empty();
  }
}
