package dev.slipway.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What became of fetching a tool. */
sealed interface Fetched {
  /**
   * @param tree with the tool's programs in {@code bin}; to be moved to where it is kept
   * @param needs directories of the host that it cannot do without
   */
  record Complete(Version version, Path tree, List<Path> needs) implements Fetched {}

  /** The registry was reached and has no version in the range. */
  record NoSuchVersion() implements Fetched {}

  /**
   * @param why what the program that fetches said, in one line
   * @param lasting for how long it will not be better
   */
  record Unreachable(String why, Duration lasting) implements Fetched {
    /** A registry, which is rarely away for long. */
    Unreachable(String why) {
      this(why, Duration.ofSeconds(10));
    }
  }
}
