package dev.slipway.runlog;

/**
 * How much of a log is kept: its first entries and its newest ones. Sizes are of messages in UTF-8,
 * with {@value #ENTRY_BYTES} bytes more for each, so that empty lines are not free.
 *
 * @param maxBytes above it entries between the two are deleted
 */
public record LogCap(long maxBytes) {
  static final int ENTRY_BYTES = 16;
  private static final long MAX_HEAD_BYTES = 2L << 20;

  /** The first entries stay up to this size, and to half of the whole at most. */
  long headBytes() {
    return Math.min(MAX_HEAD_BYTES, maxBytes / 2);
  }

  /** How much is deleted at a time beyond what must be: not a row for each new row. */
  long slackBytes() {
    return maxBytes / 16;
  }
}
