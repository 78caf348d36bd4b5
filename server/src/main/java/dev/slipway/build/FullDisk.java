package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DiskFailures;
import dev.slipway.core.FailureCode;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;

/** What a failure to write is really: with a full disk all that writes fails, in its own words. */
final class FullDisk {
  private FullDisk() {}

  /**
   * @param failure of a step that this server does itself
   * @param freeBytes at that time, before anything is deleted
   * @param reserveBytes what no build may take
   */
  static Optional<AppFailure> behind(RuntimeException failure, long freeBytes, long reserveBytes) {
    boolean full =
        Stream.<Throwable>iterate(failure, cause -> cause != null, Throwable::getCause)
            .anyMatch(cause ->
                cause instanceof IOException
                    && (freeBytes < reserveBytes || DiskFailures.says(cause)));
    return full
        ? Optional.of(
            new AppFailure(
                FailureCode.DISK_FULL,
                "The build found the disk of the server full. Delete projects, or give the server a larger disk.",
                failure))
        : Optional.empty();
  }
}
