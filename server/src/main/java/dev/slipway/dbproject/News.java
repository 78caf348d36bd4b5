package dev.slipway.dbproject;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.Masker;

/** What is said of one run to those who wait for it. Thread-safe. */
final class News {
  private final Database database;
  private final DatabaseListener listener;
  private final DatabaseProject project;
  private final Masker masker;

  News(Database database, DatabaseListener listener, DatabaseProject project, Masker masker) {
    this.database = database;
    this.listener = listener;
    this.project = project;
    this.masker = masker;
  }

  void say(String sentence) {
    try {
      database.useTransaction(
          tx -> listener.news(tx, project, LogLevel.INFO, masker.mask(sentence)));
    } catch (TransientException e) {
      // The work goes on where nobody can be told of it.
    }
  }
}
