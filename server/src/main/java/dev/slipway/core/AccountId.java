package dev.slipway.core;

/** Identifies an account. */
public record AccountId(String value) {
  public static AccountId next() {
    return new AccountId(TypeId.next("acc"));
  }

  @Override
  public String toString() {
    return value;
  }
}
