package dev.slipway.core;

/** What is said of a disk that has too little room, wherever that is noticed. */
public final class DiskFailures {
  /** As the C library says it, unless the server's user has another language. */
  private static final String SAID = "No space left on device";

  private DiskFailures() {}

  /** Whether that failure, without its causes, says that a disk was full. */
  public static boolean says(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains(SAID);
  }

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
