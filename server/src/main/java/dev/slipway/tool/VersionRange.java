package dev.slipway.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Versions that an application accepts, as npm writes ranges and as Python writes specifiers; what
 * the two mean differently is read as npm does ({@code >3.11} leaves out all of 3.11).
 *
 * <p>What is given to a package manager is written anew from what was understood, so that no text
 * of an application, such as an address, takes the place of a version.
 *
 * @param alternatives of which one has to hold, with all of its bounds
 */
record VersionRange(List<List<Bound>> alternatives) {
  static final VersionRange ANY = new VersionRange(List.of(List.of()));

  /** No range that somebody wrote is longer. */
  private static final int MAX_CHARS = 200;

  private static final Pattern COMPARATOR =
      Pattern.compile(
          "(>=|<=|===?|!=|~=|~>|>|<|=|\\^|~)?v?(\\d{1,9}|[xX*])(?:\\.(\\d{1,9}|[xX*]))?(?:\\.(\\d{1,9}|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\\+\\S*)?");
  private static final Pattern HYPHEN = Pattern.compile("(\\S+)\\s+-\\s+(\\S+)");
  private static final Pattern OPERATOR_APART = Pattern.compile("([<>=^~!])\\s+");

  VersionRange {
    alternatives = alternatives.stream().map(List::copyOf).toList();
  }

  enum Relation {
    AT_LEAST(">="),
    BELOW("<"),
    EXACTLY("="),
    NOT("!=");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }
  }

  record Bound(Relation relation, Version version) {
    boolean allows(Version other) {
      int order = other.compareTo(version);
      return switch (relation) {
        case AT_LEAST -> order >= 0;
        case BELOW -> order < 0;
        case EXACTLY -> order == 0;
        case NOT -> order != 0;
      };
    }
  }

  /** Empty where it is neither; an empty text allows every version. */
  static Optional<VersionRange> parse(String text) {
    if (text.length() > MAX_CHARS) {
      return Optional.empty();
    }
    List<List<Bound>> alternatives = new ArrayList<>();
    for (String part : text.split("\\|\\|?", -1)) {
      Optional<List<Bound>> bounds = bounds(part.strip());
      if (bounds.isEmpty()) {
        return Optional.empty();
      }
      alternatives.add(bounds.get());
    }
    return Optional.of(new VersionRange(alternatives));
  }

  /** A preview is allowed only where it is asked for by its own name, as npm has it. */
  boolean allows(Version version) {
    return alternatives.stream()
        .anyMatch(bounds ->
            bounds.stream().allMatch(bound -> bound.allows(version))
                && (version.preview().isEmpty() || names(bounds, version)));
  }

  private static boolean names(List<Bound> bounds, Version version) {
    return bounds.stream()
        .anyMatch(bound -> bound.relation() == Relation.EXACTLY && bound.version().equals(version));
  }

  /** What both allow. */
  VersionRange and(VersionRange other) {
    List<List<Bound>> both = new ArrayList<>();
    for (List<Bound> ours : alternatives) {
      for (List<Bound> theirs : other.alternatives) {
        List<Bound> joined = new ArrayList<>(ours);
        joined.addAll(theirs);
        both.add(joined);
      }
    }
    return new VersionRange(both);
  }

  /** Whether any version could be in it. */
  boolean possible() {
    // Bounds include where they begin, so one that is in it is the highest beginning.
    return alternatives.stream()
        .anyMatch(bounds ->
            Stream.concat(bounds.stream().map(Bound::version), Stream.of(Version.release(0, 0, 0)))
                .anyMatch(version -> bounds.stream().allMatch(bound -> bound.allows(version))));
  }

  /** The first version that it names: what comes nearest to it is the best where none is in it. */
  Optional<Version> named() {
    return alternatives.stream()
        .flatMap(List::stream)
        .filter(bound -> bound.relation() != Relation.NOT)
        .map(Bound::version)
        .findFirst();
  }

  /** All versions of the major one that it names. */
  VersionRange wholeMajor() {
    return named().map(version -> major(version.major())).orElse(ANY);
  }

  static VersionRange major(int major) {
    return between(Version.release(major, 0, 0), Version.release(major + 1, 0, 0));
  }

  /** As npm reads it, for example {@code >=18.0.0 <19.0.0 || =20.1.0}. */
  String forNpm() {
    return alternatives.stream()
        .map(bounds ->
            bounds.stream()
                .filter(bound -> bound.relation() != Relation.NOT) // npm knows no such thing
                .map(bound -> bound.relation().sign + bound.version())
                .collect(Collectors.joining(" ")))
        .map(bounds -> bounds.isEmpty() ? "*" : bounds)
        .collect(Collectors.joining(" || "));
  }

  /** As Python reads it, which knows no alternatives: the last one, which is mostly the newest. */
  String forPython() {
    return alternatives.getLast().stream()
        .map(bound ->
            (bound.relation() == Relation.EXACTLY ? "==" : bound.relation().sign) + bound.version())
        .collect(Collectors.joining(","));
  }

  private static Optional<List<Bound>> bounds(String part) {
    String joined = HYPHEN.matcher(part).replaceAll(">=$1 <=$2");
    joined = OPERATOR_APART.matcher(joined).replaceAll("$1");
    List<Bound> bounds = new ArrayList<>();
    List<String> comparators =
        Arrays.stream(joined.split("[\\s,]+", -1)).filter(text -> !text.isEmpty()).toList();
    for (String comparator : comparators) {
      Matcher matcher = COMPARATOR.matcher(comparator);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      bounds.addAll(bounds(matcher));
    }
    return Optional.of(bounds);
  }

  private static List<Bound> bounds(Matcher matcher) {
    String operator = Optional.ofNullable(matcher.group(1)).orElse("=");
    int given =
        isWild(matcher.group(2))
            ? 0
            : isWild(matcher.group(3)) ? 1 : isWild(matcher.group(4)) ? 2 : 3;
    if (given == 0) {
      return List.of();
    }
    int major = Integer.parseInt(matcher.group(2));
    int minor = given > 1 ? Integer.parseInt(matcher.group(3)) : 0;
    int patch = given > 2 ? Integer.parseInt(matcher.group(4)) : 0;
    String preview = Optional.ofNullable(matcher.group(5)).orElse("");
    Version from = new Version(major, minor, patch, preview);
    // The first one beyond those that are meant by a version with fewer than three numbers.
    Version beyond =
        switch (given) {
          case 1 -> Version.release(major + 1, 0, 0);
          case 2 -> Version.release(major, minor + 1, 0);
          default -> Version.release(major, minor, patch + 1);
        };
    return switch (operator) {
      case ">=" -> List.of(new Bound(Relation.AT_LEAST, from));
      case ">" -> List.of(new Bound(Relation.AT_LEAST, beyond));
      case "<" -> List.of(new Bound(Relation.BELOW, from));
      case "<=" -> List.of(new Bound(Relation.BELOW, beyond));
      case "^" -> between(from, afterCaret(from, given)).only();
      case "~", "~>" ->
          between(from, given > 1 ? Version.release(major, minor + 1, 0) : beyond).only();
      case "~=" ->
          between(
                  from,
                  given > 2
                      ? Version.release(major, minor + 1, 0)
                      : Version.release(major + 1, 0, 0))
              .only();
      case "!=" -> given == 3 ? List.of(new Bound(Relation.NOT, from)) : List.of();
      default ->
          given == 3 ? List.of(new Bound(Relation.EXACTLY, from)) : between(from, beyond).only();
    };
  }

  /** The first number that is not zero is kept. */
  private static Version afterCaret(Version from, int given) {
    if (from.major() > 0 || given == 1) {
      return Version.release(from.major() + 1, 0, 0);
    }
    return from.minor() > 0 || given == 2
        ? Version.release(0, from.minor() + 1, 0)
        : Version.release(0, 0, from.patch() + 1);
  }

  private static VersionRange between(Version from, Version beyond) {
    return new VersionRange(
        List.of(List.of(new Bound(Relation.AT_LEAST, from), new Bound(Relation.BELOW, beyond))));
  }

  private List<Bound> only() {
    return alternatives.getFirst();
  }

  private static boolean isWild(@Nullable String part) {
    return part == null || part.equals("*") || part.equalsIgnoreCase("x");
  }
}
