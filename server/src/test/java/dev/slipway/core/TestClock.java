package dev.slipway.core;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it, forward or back. Thread-safe. */
public final class TestClock extends Clock {
  private final AtomicReference<Instant> now;

  public TestClock() {
    this.now = new AtomicReference<>(Instant.parse("2026-11-21T09:30:00.000Z"));
  }

  public void advance(Duration step) {
    now.updateAndGet(instant -> instant.plus(step));
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
