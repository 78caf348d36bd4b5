package dev.slipway.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what a misspelt name was meant to be. */
public final class Nearest {
  private Nearest() {}

  /** The known name with the fewest changed letters, if that is no more than half of them. */
  public static Optional<String> to(String name, Collection<String> known) {
    return known.stream()
        .min(
            Comparator.<String>comparingInt(it -> distance(name, it))
                .thenComparing(Comparator.naturalOrder()))
        .filter(it -> distance(name, it) * 2 <= Math.max(name.length(), it.length()));
  }

  /** Levenshtein's: insertions, deletions and replacements of one letter. */
  static int distance(String one, String other) {
    int[] above = new int[other.length() + 1];
    for (int column = 0; column <= other.length(); column++) {
      above[column] = column;
    }
    for (int row = 1; row <= one.length(); row++) {
      int[] current = new int[other.length() + 1];
      current[0] = row;
      for (int column = 1; column <= other.length(); column++) {
        int replaced =
            above[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
        current[column] = Math.min(replaced, Math.min(above[column], current[column - 1]) + 1);
      }
      above = current;
    }
    return above[other.length()];
  }
}
