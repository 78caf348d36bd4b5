package dev.slipway.dbproject;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.Masker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** What is said of one run to those who wait for it. Thread-safe. */
final class News {
  private static final Duration PROGRESS_PAUSE = Duration.ofSeconds(3);

  private final Database database;
  private final DatabaseListener listener;
  private final DatabaseProject project;
  private final Masker masker;
  private final Clock clock;
  private final AtomicReference<Instant> lastProgress = new AtomicReference<>(Instant.EPOCH);

  News(
      Database database,
      DatabaseListener listener,
      DatabaseProject project,
      Masker masker,
      Clock clock) {
    this.database = database;
    this.listener = listener;
    this.project = project;
    this.masker = masker;
    this.clock = clock;
  }

  void say(String sentence) {
    try {
      database.useTransaction(
          tx -> listener.news(tx, project, LogLevel.INFO, masker.mask(sentence)));
    } catch (TransientException e) {
      // The work goes on where nobody can be told of it.
    }
  }

  /** One sentence of many: those that come too soon after another are left out. */
  void progress(String sentence) {
    Instant now = clock.instant();
    Instant last = lastProgress.get();
    if (!now.isBefore(last.plus(PROGRESS_PAUSE)) && lastProgress.compareAndSet(last, now)) {
      say(sentence);
    }
  }
}
