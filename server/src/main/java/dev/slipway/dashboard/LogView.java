package dev.slipway.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A log in a page.
 *
 * @param label what it is the log of
 * @param lines the part of it that is shown, oldest first
 * @param stream where further entries come from; absent where none will
 * @param read the place of the last of these lines in a stream that begins with the first entry;
 *     absent where the stream goes on after them
 * @param download where all of it is; absent where there is nothing
 * @param earlier the page with the lines before these; absent where there are none
 * @param later the page with the newest lines; absent where these are
 */
public record LogView(
    String label,
    List<LogLine> lines,
    Optional<String> stream,
    Optional<String> read,
    Optional<String> download,
    Optional<String> earlier,
    Optional<String> later) {
  /** A page has at most so many. */
  static final int MAX_LINES = 300;

  /** So large is the part of a page that is left for them. */
  private static final int MAX_BYTES = 68_000;

  public LogView {
    lines = List.copyOf(lines);
  }

  public boolean hasError() {
    return lines.stream().anyMatch(it -> it.tone().equals("error"));
  }

  /** The last of the lines that fit into a page; one at least. */
  static List<LogLine> fitting(List<LogLine> lines) {
    return firstFitting(lines.reversed()).reversed();
  }

  /** The first of the lines that fit into a page; one at least. */
  static List<LogLine> firstFitting(List<LogLine> lines) {
    List<LogLine> fitting = new ArrayList<>();
    int bytes = 0;
    for (LogLine line : lines) {
      bytes += line.bytes();
      if (fitting.size() == MAX_LINES || (bytes > MAX_BYTES && !fitting.isEmpty())) {
        break;
      }
      fitting.add(line);
    }
    return List.copyOf(fitting);
  }
}
