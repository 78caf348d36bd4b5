package dev.slipway.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the header {@code Accept} says: which media types the client takes, and how gladly. RFC
 * 9110, section 12.5.1. A part that cannot be read counts as absent.
 */
record Accept(List<Range> ranges) {
  /** One of its parts; {@code *} stands for any type or subtype. */
  private record Range(String type, String subtype, double quality) {
    boolean matches(String wantedType, String wantedSubtype) {
      return (type.equals("*") || type.equals(wantedType))
          && (subtype.equals("*") || subtype.equals(wantedSubtype));
    }

    int precision() {
      return type.equals("*") ? 1 : subtype.equals("*") ? 2 : 3;
    }
  }

  /**
   * @param headers all of that name; with none anything is as welcome as anything
   */
  static Accept of(List<String> headers) {
    List<Range> ranges = new ArrayList<>();
    for (String part : String.join(",", headers).split(",", -1)) {
      range(part).ifPresent(ranges::add);
    }
    return new Accept(List.copyOf(ranges));
  }

  /**
   * Whether the client takes {@code type} and rather so than {@code other}. What it names is dearer
   * to it than what it takes along with everything.
   */
  boolean prefers(String type, String other) {
    Range one = best(type);
    Range two = best(other);
    return one.quality() > two.quality()
        || (one.quality() > 0
            && one.quality() == two.quality()
            && one.precision() > two.precision());
  }

  /** The most precise of the ranges that match decides. */
  private Range best(String mediaType) {
    String type = mediaType.substring(0, mediaType.indexOf('/'));
    String subtype = mediaType.substring(mediaType.indexOf('/') + 1);
    Range best = new Range("*", "*", ranges.isEmpty() ? 1 : 0);
    boolean found = false;
    for (Range range : ranges) {
      if (range.matches(type, subtype) && (!found || range.precision() > best.precision())) {
        best = range;
        found = true;
      }
    }
    return best;
  }

  private static Optional<Range> range(String part) {
    String[] pieces = part.toLowerCase(Locale.ROOT).split(";", -1);
    String[] names = pieces[0].strip().split("/", -1);
    if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
      return Optional.empty();
    }
    double quality = 1;
    for (int i = 1; i < pieces.length; i++) {
      String parameter = pieces[i].strip();
      if (parameter.startsWith("q=")) {
        if (!parameter.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")) {
          return Optional.empty();
        }
        quality = Double.parseDouble(parameter.substring(2));
      }
    }
    return Optional.of(new Range(names[0], names[1], quality));
  }
}
