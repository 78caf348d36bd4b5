package dev.slipway.core;

/** Identifies a user of an account. */
public record UserId(String value) {
  public static UserId next() {
    return new UserId(TypeId.next("usr"));
  }

  @Override
  public String toString() {
    return value;
  }
}
