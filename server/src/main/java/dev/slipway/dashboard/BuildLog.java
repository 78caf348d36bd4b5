package dev.slipway.dashboard;

import dev.slipway.runlog.RunLogs;
import dev.slipway.runlog.StoredEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The log of a deployment or migration, for pages.
 *
 * @param page where it is shown; below it are {@code /log}, the operation of the API that reads it,
 *     and {@code /log.txt}, all of it
 */
record BuildLog(RunLogs logs, String logId, String label, String page) {
  /** How far before the end of a log the cause of a failure is looked for. */
  private static final int LOOK_BACK = 2_000;

  /** So many lines stand before the cause, for what led to it. */
  private static final int LINES_BEFORE = 10;

  private static final int BATCH = 1_000;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /**
   * The part that the page's address asks for: the lines before one, or from one on; else the
   * newest.
   *
   * @param open whether more may come
   */
  LogView view(Visit visit, boolean open) {
    long end = logs.lastSeq(logId);
    Optional<Long> from = line(visit, "from", end);
    long before = line(visit, "before", end).orElse(end + 1);
    List<LogLine> lines =
        from.map(it -> LogView.firstFitting(lines(it, end)))
            .orElseGet(() -> LogView.fitting(lines(before - LogView.MAX_LINES, before - 1)));
    boolean newest =
        from.isPresent() ? lines.stream().anyMatch(it -> it.number() == end) : before > end;
    return new LogView(
        label,
        lines,
        open && newest ? Optional.of("%s/log?after=%d".formatted(page, end)) : Optional.empty(),
        Optional.empty(),
        end > 0 ? Optional.of(page + "/log.txt") : Optional.empty(),
        lines.stream().findFirst().map(LogLine::number).filter(it -> it > 1).map(this::pageBefore),
        newest ? Optional.empty() : Optional.of(page + "#log"));
  }

  /** Where the first line is that tells of an error, from that time on. */
  Optional<ErrorPlace> firstError(Instant from) {
    long end = logs.lastSeq(logId);
    List<StoredEntry> last = read(end - LOOK_BACK, LOOK_BACK);
    return last.stream()
        .filter(it -> !it.entry().timestamp().isBefore(from))
        .filter(it -> LogTone.isError(it.entry().level(), it.entry().message()))
        .findFirst()
        .map(it -> placeOf(it, last));
  }

  /**
   * @param href the page that shows it
   */
  public record ErrorPlace(long line, String href) {}

  /** All of it as text, read as it is sent. */
  Reply.Text whole(String fileName) {
    Stream<List<StoredEntry>> batches =
        Stream.iterate(
            logs.read(logId, 0, BATCH),
            batch -> !batch.isEmpty(),
            batch -> logs.read(logId, batch.getLast().seq(), BATCH));
    return new Reply.Text(fileName, batches.map(BuildLog::text).iterator());
  }

  private static Optional<Long> line(Visit visit, String name, long end) {
    return visit
        .query(name)
        .filter(it -> NUMBER.matcher(it).matches())
        .map(Long::valueOf)
        .filter(it -> it >= 1 && it <= end);
  }

  private List<LogLine> lines(long first, long last) {
    return read(first - 1, LogView.MAX_LINES).stream()
        .filter(it -> it.seq() <= last)
        .map(LogLine::of)
        .toList();
  }

  private List<StoredEntry> read(long after, int limit) {
    return logs.read(logId, Math.max(0, after), limit);
  }

  /** In the page with the newest lines, or in one that begins a few lines before it. */
  private ErrorPlace placeOf(StoredEntry error, List<StoredEntry> last) {
    long line = error.seq();
    List<LogLine> newest = LogView.fitting(last.stream().map(LogLine::of).toList());
    if (newest.getFirst().number() <= line) {
      return new ErrorPlace(line, "#L" + line);
    }
    int at = last.indexOf(error);
    List<LogLine> shown =
        LogView.fitting(
            last.subList(Math.max(0, at - LINES_BEFORE), at + 1).stream()
                .map(LogLine::of)
                .toList());
    return new ErrorPlace(line, "%s?from=%d#L%d".formatted(page, shown.getFirst().number(), line));
  }

  private String pageBefore(long line) {
    return "%s?before=%d#log".formatted(page, line);
  }

  private static String text(List<StoredEntry> batch) {
    StringBuilder text = new StringBuilder();
    for (StoredEntry stored : batch) {
      text.append(stored.entry().timestamp())
          .append("  ")
          .append(stored.entry().message())
          .append('\n');
    }
    return text.toString();
  }
}
