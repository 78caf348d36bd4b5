package dev.slipway.hook;

import java.util.Locale;

/** What came of a message of a git host. */
public enum Outcome {
  /** A deployment of the project was queued. */
  DEPLOYED,
  /** A preview was made, brought up to date or removed. */
  PREVIEW,
  /** Nothing; the reason says why. */
  IGNORED,
  /** The host only wanted to know whether we are there. */
  PING;

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
