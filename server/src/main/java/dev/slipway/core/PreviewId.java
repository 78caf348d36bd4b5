package dev.slipway.core;

/** Identifies the preview of a pull request. */
public record PreviewId(String value) {
  public static PreviewId next() {
    return new PreviewId(TypeId.next("prv"));
  }

  @Override
  public String toString() {
    return value;
  }
}
