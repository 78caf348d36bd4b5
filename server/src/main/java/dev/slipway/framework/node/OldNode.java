package dev.slipway.framework.node;

import dev.slipway.framework.Tool;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Node 16, the last with OpenSSL 1.1. */
final class OldNode {
  private static final int MAJOR = 16;

  /** {@code >=12}: what somebody wrote who did not think of an upper end. */
  private static final Pattern OPEN = Pattern.compile(">=?\\s*(\\d{1,3})(?:\\.[\\dx*]+)*");

  private OldNode() {}

  /** The part of a range that is this Node, or older; empty where the range is a decision. */
  static Optional<String> within(String range) {
    if (range.isEmpty() || range.equals("*")) {
      return Optional.of(String.valueOf(MAJOR));
    }
    return Optional.of(OPEN.matcher(range))
        .filter(Matcher::matches)
        .filter(open -> Integer.parseInt(open.group(1)) <= MAJOR)
        .map(_ -> range + " <" + (MAJOR + 1));
  }

  /** Whether there is a version of the tool in its range that runs on it. */
  static boolean runs(Tool tool) {
    Optional<Integer> last =
        switch (tool.name()) {
          case "npm" -> Optional.of(9);
          case "pnpm" -> Optional.of(8);
          case "yarn" -> Optional.of(3);
          default -> Optional.empty();
        };
    return last.isEmpty()
        || tool.range().isEmpty()
        || OldBundler.major(tool.range()).filter(major -> major <= last.get()).isPresent();
  }
}
