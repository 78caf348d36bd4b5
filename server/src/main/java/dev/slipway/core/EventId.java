package dev.slipway.core;

/** Identifies an event: the same in every message that carries it. */
public record EventId(String value) {
  public static EventId next() {
    return new EventId(TypeId.next("evt"));
  }

  @Override
  public String toString() {
    return value;
  }
}
