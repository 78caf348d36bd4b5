package dev.slipway.core;

/** Identifies a custom domain. */
public record DomainId(String value) {
  public static DomainId next() {
    return new DomainId(TypeId.next("dom"));
  }

  @Override
  public String toString() {
    return value;
  }
}
