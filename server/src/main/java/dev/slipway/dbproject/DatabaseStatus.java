package dev.slipway.dbproject;

import java.util.Locale;

/** Where a database project is on its way. */
public enum DatabaseStatus {
  /** It is being made, checked or filled; deployments wait for it. */
  PREPARING,
  READY,
  /** It could not be prepared; the next deployment tries again. */
  FAILED,
  /** It works, and gets another login. */
  ROTATING,
  /** A backup is being put in its place; what was there, if anything, works until then. */
  RESTORING,
  DROPPING,
  /** It is gone; its backups stay for a time, and it can be restored from one. */
  DROPPED;

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
