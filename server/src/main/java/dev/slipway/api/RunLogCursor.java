package dev.slipway.api;

import dev.slipway.runlog.RunLogs;
import dev.slipway.runlog.StoredEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A place in the log of a migration or deployment: the number of the last entry read. */
final class RunLogCursor implements LogCursor {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final RunLogs logs;
  private final String logId;
  private long after;

  RunLogCursor(RunLogs logs, String logId, long after) {
    this.logs = logs;
    this.logId = logId;
    this.after = after;
  }

  /** Whether this can be the id of an event of such a log. */
  static boolean isEventId(String text) {
    return NUMBER.matcher(text).matches();
  }

  @Override
  public List<Line> next(int limit) {
    List<StoredEntry> found = logs.read(logId, after, limit);
    if (!found.isEmpty()) {
      after = found.getLast().seq();
    }
    return found.stream()
        .map(stored -> new Line(Long.toString(stored.seq()), stored.entry(), Optional.empty()))
        .toList();
  }

  @Override
  public long place() {
    return after;
  }

  @Override
  public long left() {
    return logs.lastSeq(logId) - after;
  }

  @Override
  public boolean moreNow() {
    return true; // left() tells
  }

  @Override
  public boolean mayGrow() {
    return !logs.closed(logId);
  }

  @Override
  public EventStreams.Watch watch(Runnable onChange) {
    RunLogs.Following following = logs.follow(logId, onChange);
    return following::close;
  }

  @Override
  public Duration patience() {
    return PATIENCE;
  }
}
