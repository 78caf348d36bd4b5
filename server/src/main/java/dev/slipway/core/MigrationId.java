package dev.slipway.core;

/** Identifies a migration. */
public record MigrationId(String value) {
  public static MigrationId next() {
    return new MigrationId(TypeId.next("mig"));
  }

  @Override
  public String toString() {
    return value;
  }
}
