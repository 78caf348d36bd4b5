package dev.slipway.hook;

import java.time.Instant;
import java.util.UUID;

/**
 * That a git host is told about something. Each is a job of its own: one that is asked for while
 * another is at its end would be lost.
 *
 * @param id of what it is told about
 */
record Wish(String id, Instant since) {
  private static final String SEPARATOR = ":";

  /** The subject of a job, unlike that of any other. */
  String subject() {
    return String.join(SEPARATOR, id, "" + since.toEpochMilli(), UUID.randomUUID().toString());
  }

  static Wish of(String subject) {
    String[] parts = subject.split(SEPARATOR, -1);
    return new Wish(parts[0], Instant.ofEpochMilli(Long.parseLong(parts[1])));
  }
}
