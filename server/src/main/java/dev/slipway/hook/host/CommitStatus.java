package dev.slipway.hook.host;

import java.net.URI;

/**
 * What is shown beside a commit.
 *
 * @param context who says so: a later one of the same context takes its place
 * @param description one line; cut where it is longer than hosts take
 * @param target where there is more to read
 */
public record CommitStatus(State state, String context, String description, URI target) {
  /** What GitHub takes; the others take more. */
  private static final int MAX_DESCRIPTION = 140;

  private static final String CUT = "…";

  public enum State {
    PENDING,
    SUCCESS,
    FAILURE
  }

  public CommitStatus {
    description = cut(description.replaceAll("\\s+", " ").strip());
  }

  private static String cut(String text) {
    if (text.codePointCount(0, text.length()) <= MAX_DESCRIPTION) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, MAX_DESCRIPTION - 1)) + CUT;
  }
}
