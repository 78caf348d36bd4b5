package dev.slipway.edge;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a file is asked for.
 *
 * @param length positive, or zero where the range begins behind the end of the file
 */
record ByteRange(long from, long length) {
  private static final Pattern SINGLE =
      Pattern.compile(
          "bytes\\s*=\\s*(\\d{0,18})\\s*-\\s*(\\d{0,18})\\s*", Pattern.CASE_INSENSITIVE);

  /**
   * RFC 9110, 14.2. A header that cannot be read, and one that asks for several ranges, count as
   * absent: the file is sent as a whole.
   */
  static Optional<ByteRange> of(String header, long size) {
    Matcher range = SINGLE.matcher(header);
    if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
      return Optional.empty();
    }
    if (range.group(1).isEmpty()) {
      long last = Math.min(Long.parseLong(range.group(2)), size);
      return Optional.of(new ByteRange(size - last, last));
    }
    long from = Long.parseLong(range.group(1));
    long to =
        range.group(2).isEmpty() ? size - 1 : Math.min(Long.parseLong(range.group(2)), size - 1);
    if (!range.group(2).isEmpty() && Long.parseLong(range.group(2)) < from) {
      return Optional.empty();
    }
    return Optional.of(new ByteRange(from, Math.max(0, to - from + 1)));
  }

  /** For {@code Content-Range}. */
  String of(long size) {
    return "bytes %d-%d/%d".formatted(from, from + length - 1, size);
  }
}
