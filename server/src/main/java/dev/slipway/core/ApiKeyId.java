package dev.slipway.core;

/** Identifies an API key; says nothing about its secret. */
public record ApiKeyId(String value) {
  public static ApiKeyId next() {
    return new ApiKeyId(TypeId.next("key"));
  }

  @Override
  public String toString() {
    return value;
  }
}
