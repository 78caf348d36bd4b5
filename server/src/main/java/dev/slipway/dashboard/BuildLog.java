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

  private static final int BATCH = 1_000;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /** The lines that a page's address asks for. */
  static Optional<Long> before(Visit visit) {
    return visit.query("before").filter(it -> NUMBER.matcher(it).matches()).map(Long::valueOf);
  }

  /**
   * @param before shown are the lines before this one; the newest where it is absent
   * @param open whether more may come
   */
  LogView view(Optional<Long> before, boolean open) {
    long end = logs.lastSeq(logId);
    long until = before.filter(it -> it >= 1 && it <= end).map(it -> it - 1).orElse(end);
    List<LogLine> lines =
        LogView.fitting(
            read(until - LogView.MAX_LINES, LogView.MAX_LINES)
                .filter(it -> it.seq() <= until)
                .map(LogLine::of)
                .toList());
    boolean newest = until == end;
    return new LogView(
        label,
        lines,
        open && newest ? Optional.of("%s/log?after=%d".formatted(page, end)) : Optional.empty(),
        false,
        end > 0 ? Optional.of(page + "/log.txt") : Optional.empty(),
        lines.stream().findFirst().map(LogLine::number).filter(it -> it > 1).map(this::pageBefore),
        newest ? Optional.empty() : Optional.of(page + "#log"));
  }

  /** Where the first line is that tells of an error, from that time on. */
  Optional<ErrorPlace> firstError(Instant from) {
    long end = logs.lastSeq(logId);
    return read(end - LOOK_BACK, LOOK_BACK)
        .filter(it -> !it.entry().timestamp().isBefore(from))
        .filter(it -> LogTone.isError(it.entry().level(), it.entry().message()))
        .findFirst()
        .map(it -> new ErrorPlace(it.seq(), placeOf(it.seq(), end)));
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

  private Stream<StoredEntry> read(long after, int limit) {
    return logs.read(logId, Math.max(0, after), limit).stream();
  }

  private String placeOf(long line, long end) {
    boolean far = end - line > LogView.MAX_LINES / 2;
    return (far ? "%s?before=%d".formatted(page, line + LogView.MAX_LINES / 2) : "") + "#L" + line;
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
