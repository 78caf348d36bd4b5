package dev.slipway.core;

/** What is said of a build that takes too much of the disk, wherever that is noticed. */
public final class DiskFailures {
  private DiskFailures() {}

  /** It took more than the configuration gives to one build. */
  public static AppFailure limit(long maxBytes) {
    return new AppFailure(
        FailureCode.DISK_LIMIT,
        "The build wrote more than the %,d MiB of disk that it may use (build.disk_mb)."
            .formatted(maxBytes >> 20));
  }

  /** Too little is left for it to go on. */
  public static AppFailure full(long freeBytes) {
    return new AppFailure(
        FailureCode.DISK_FULL,
        "The build was stopped because the disk of the server has only %,d MiB left. Delete projects, or give the server a larger disk."
            .formatted(freeBytes >> 20));
  }
}
