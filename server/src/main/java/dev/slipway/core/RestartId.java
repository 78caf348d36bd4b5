package dev.slipway.core;

/** Identifies a restart of what serves a project; internal. */
public record RestartId(String value) {
  public static RestartId next() {
    return new RestartId(TypeId.next("rst"));
  }

  @Override
  public String toString() {
    return value;
  }
}
