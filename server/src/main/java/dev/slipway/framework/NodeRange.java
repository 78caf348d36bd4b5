package dev.slipway.framework;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of Node versions as {@code engines.node} and {@code .nvmrc} write it. Read generously:
 * what is not understood, such as {@code lts/iron}, allows every version.
 */
final class NodeRange {
  private static final Pattern COMPARATOR =
      Pattern.compile(
          "(>=|<=|>|<|=|\\^|~)?\\s*v?(\\d+|[xX*])(?:\\.(\\d+|[xX*]))?(?:\\.(\\d+|[xX*]))?");
  private static final Pattern HYPHEN = Pattern.compile("(\\S+)\\s+-\\s+(\\S+)");

  private NodeRange() {}

  /**
   * @param version for example {@code 20.11.1} or {@code v20.11.1}
   */
  static boolean allows(String range, String version) {
    int[] host = parts(version);
    return Arrays.stream(range.split("\\|\\|", -1)).anyMatch(part -> allowsAll(part.strip(), host));
  }

  private static boolean allowsAll(String part, int[] host) {
    String comparators = HYPHEN.matcher(part).replaceAll(">=$1 <=$2");
    // Spaces may stand between an operator and its version.
    String joined = comparators.replaceAll("([<>=^~])\\s+", "$1");
    return Arrays.stream(joined.split("\\s+", -1)).allMatch(one -> allowsOne(one, host));
  }

  private static boolean allowsOne(String comparator, int[] host) {
    Matcher matcher = COMPARATOR.matcher(comparator);
    if (!matcher.matches() || isWild(matcher.group(2))) {
      return true;
    }
    int given = isWild(matcher.group(3)) ? 1 : isWild(matcher.group(4)) ? 2 : 3;
    int[] wanted = new int[3];
    for (int i = 0; i < given; i++) {
      wanted[i] = Integer.parseInt(matcher.group(i + 2));
    }
    // 18.x, 18 and ~18 fix the major version; with a partial version <=18 means below 19.
    int same = compare(host, wanted, given);
    return switch (matcher.group(1) == null ? "=" : matcher.group(1)) {
      case ">=" -> compare(host, wanted, 3) >= 0;
      case ">" -> same > 0;
      case "<" -> compare(host, wanted, 3) < 0;
      case "<=" -> same <= 0;
      case "^" -> host[0] == wanted[0] && compare(host, wanted, 3) >= 0;
      case "~" -> compare(host, wanted, Math.min(given, 2)) == 0 && compare(host, wanted, 3) >= 0;
      default -> same == 0;
    };
  }

  private static boolean isWild(@Nullable String part) {
    return part == null || part.equals("*") || part.equalsIgnoreCase("x");
  }

  private static int compare(int[] one, int[] other, int parts) {
    return Arrays.compare(one, 0, parts, other, 0, parts);
  }

  private static int[] parts(String version) {
    Matcher matcher = Pattern.compile("v?(\\d+)\\.(\\d+)\\.(\\d+).*").matcher(version);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a version of Node: " + version);
    }
    return new int[] {
      Integer.parseInt(matcher.group(1)),
      Integer.parseInt(matcher.group(2)),
      Integer.parseInt(matcher.group(3))
    };
  }
}
