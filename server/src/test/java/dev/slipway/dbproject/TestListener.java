package dev.slipway.dbproject;

import dev.slipway.core.Failure;
import dev.slipway.runlog.LogLevel;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/** Remembers what it is told; everything is awaited, and restarted at once, unless it is said. */
final class TestListener implements DatabaseListener {
  final List<String> news = new CopyOnWriteArrayList<>();
  final List<String> events = new CopyOnWriteArrayList<>();
  private final CutOff cutOff;
  private volatile boolean awaited = true;
  private volatile Following following = new Following.Done();

  TestListener(CutOff cutOff) {
    this.cutOff = cutOff;
  }

  void awaited(boolean isAwaited) {
    awaited = isAwaited;
  }

  void following(Following now) {
    following = now;
  }

  @Override
  public void news(Handle tx, DatabaseProject database, LogLevel level, String sentence) {
    news.add(sentence);
  }

  @Override
  public boolean isAwaited(Handle tx, DatabaseProject database) {
    return awaited;
  }

  @Override
  public void ready(Handle tx, DatabaseProject database) {
    event("ready");
  }

  @Override
  public void failed(Handle tx, DatabaseProject database, Failure failure) {
    event("failed " + failure.code());
  }

  @Override
  public void changed(Handle tx, DatabaseProject database, Instant now) {
    event("changed");
  }

  private void event(String name) {
    cutOff.step();
    events.add(name);
  }

  @Override
  public Following following(Handle tx, DatabaseProject database, Instant changedAt) {
    cutOff.step();
    return following;
  }
}
