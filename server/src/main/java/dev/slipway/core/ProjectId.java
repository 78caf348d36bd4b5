package dev.slipway.core;

/** Identifies a project. */
public record ProjectId(String value) {
  public static ProjectId next() {
    return new ProjectId(TypeId.next("prj"));
  }

  @Override
  public String toString() {
    return value;
  }
}
