package dev.slipway.core;

/** Identifies a backup of a database. */
public record BackupId(String value) {
  public static BackupId next() {
    return new BackupId(TypeId.next("bkp"));
  }

  @Override
  public String toString() {
    return value;
  }
}
