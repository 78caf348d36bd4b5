package dev.slipway.core;

/** Identifies one running copy of a release, for its whole life. */
public record InstanceId(String value) {
  public static InstanceId next() {
    return new InstanceId(TypeId.next("ins"));
  }

  @Override
  public String toString() {
    return value;
  }
}
