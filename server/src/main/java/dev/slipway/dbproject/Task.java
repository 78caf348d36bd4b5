package dev.slipway.dbproject;

import dev.slipway.core.DatabaseId;

/**
 * What a database was asked for: the subject of the job that does it. A later turn makes the
 * earlier one's job pointless.
 */
record Task(DatabaseId id, int turn) {
  private static final char BETWEEN = '.';

  static Task of(String subject) {
    int end = subject.lastIndexOf(BETWEEN);
    return new Task(
        new DatabaseId(subject.substring(0, end)), Integer.parseInt(subject.substring(end + 1)));
  }

  String subject() {
    return id.value() + BETWEEN + turn;
  }
}
