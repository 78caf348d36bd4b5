package dev.slipway.runlog;

import java.util.Locale;

/** The level of a log entry, as the API shows it in lower case. */
public enum LogLevel {
  INFO,
  SUCCESS,
  WARNING,
  ERROR;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
