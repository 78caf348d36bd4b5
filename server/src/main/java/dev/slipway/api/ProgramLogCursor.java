package dev.slipway.api;

import dev.slipway.deployment.ProgramLog;
import java.time.Duration;
import java.util.List;

/** A place in what a deployment's program prints. Nobody tells of its growth: one looks. */
final class ProgramLogCursor implements LogCursor {
  private static final Duration PATIENCE = Duration.ofMillis(500);

  /** More lines than a ring of output holds. */
  private static final long MAX_LINES = 10_000_000;

  private final ProgramLog log;

  ProgramLogCursor(ProgramLog log) {
    this.log = log;
  }

  @Override
  public List<Line> next(int limit) {
    return log.next(limit).stream()
        .map(line -> new Line(line.place(), line.entry(), line.instance()))
        .toList();
  }

  @Override
  public long place() {
    throw new UnsupportedOperationException("it has no pages");
  }

  @Override
  public long left() {
    return MAX_LINES;
  }

  @Override
  public boolean moreNow() {
    return !log.caughtUp();
  }

  @Override
  public boolean mayGrow() {
    return log.mayGrow();
  }

  @Override
  public EventStreams.Watch watch(Runnable onChange) {
    return () -> {};
  }

  @Override
  public Duration patience() {
    return PATIENCE;
  }
}
