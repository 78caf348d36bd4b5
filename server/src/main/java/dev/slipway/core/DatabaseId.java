package dev.slipway.core;

/** Identifies a database project. */
public record DatabaseId(String value) {
  public static DatabaseId next() {
    return new DatabaseId(TypeId.next("dbp"));
  }

  @Override
  public String toString() {
    return value;
  }
}
