package dev.slipway.core;

/** Identifies one run of an edge that is a process of its own. */
public record EdgeId(String value) {
  public static EdgeId next() {
    return new EdgeId(TypeId.next("edg"));
  }

  @Override
  public String toString() {
    return value;
  }
}
