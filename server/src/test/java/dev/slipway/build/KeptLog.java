package dev.slipway.build;

import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.LogSink;
import dev.slipway.runlog.Masker;
import dev.slipway.runlog.RunLog;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log whose lines a test can read while it is written. */
final class KeptLog implements LogSink {
  private final List<LogEntry> entries = new CopyOnWriteArrayList<>();

  RunLog open(Collection<String> secrets) {
    return new RunLog(this, new Masker(secrets), Clock.systemUTC());
  }

  List<String> messages() {
    return entries.stream().map(LogEntry::message).toList();
  }

  @Override
  public void append(LogEntry entry) {
    entries.add(entry);
  }

  @Override
  public void flush() {}
}
