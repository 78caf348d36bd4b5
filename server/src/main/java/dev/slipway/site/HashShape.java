package dev.slipway.site;

import java.util.regex.Pattern;

/** Whether the end of a file's name looks like a hash rather than like words, dates or numbers. */
record HashShape(String text) {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]+");

  /** Eight random characters change their kind more often than most of what people write. */
  private static final int LEAST_CHANGES = 4;

  private static final int LEAST_CHANGES_OF_HEX = 2;

  /** A word that can be spoken, an abbreviation, or a number with a letter at one of its ends. */
  private static final String WORD =
      "(?:(?=[AEIOU]|[A-Z]?[a-z]*[aeiouy])(?:[A-Z][a-z]{2,}|[a-z]{2,}|My)|[A-Z]{2,4}|[a-z]?[0-9]+(?![a-z]{2}))";

  /** As in {@code DarkMode}, {@code IMG_1234}, {@code iPhone14}. */
  private static final Pattern WORDS =
      Pattern.compile("[a-z]?%1$s(?:[-_]?%1$s){0,2}".formatted(WORD));

  /** Where nothing else speaks for a hash: one in five of eight random characters is missed. */
  boolean isCertain() {
    int least = HEX.matcher(text).matches() ? LEAST_CHANGES_OF_HEX : LEAST_CHANGES;
    return changes() >= least && isLikely();
  }

  /** Where hashes are to be expected: one in twenty is missed. */
  boolean isLikely() {
    return !WORDS.matcher(text).matches();
  }

  private int changes() {
    int changes = 0;
    for (int i = 1; i < text.length(); i++) {
      if (kind(text.charAt(i)) != kind(text.charAt(i - 1))) {
        changes++;
      }
    }
    return changes;
  }

  private static int kind(char c) {
    if (Character.isDigit(c)) {
      return 0;
    }
    return Character.isLowerCase(c) ? 1 : Character.isUpperCase(c) ? 2 : 3;
  }
}
