package dev.slipway.core;

/** Identifies an uploaded archive. */
public record UploadId(String value) {
  public static UploadId next() {
    return new UploadId(TypeId.next("upl"));
  }

  @Override
  public String toString() {
    return value;
  }
}
