package dev.slipway.build;

import dev.slipway.core.Limits;
import java.time.Duration;

/**
 * What a build may use.
 *
 * @param timeout from the fetch to the packed release
 * @param limits of all programs of a step together
 * @param maxDiskBytes that the programs of a build may write and leave on the disk
 * @param minFreeBytes a build does not begin with less free on the disk, and is stopped at half
 * @param maxCacheBytes of dependencies, caches of frameworks, downloads and tools that are kept for
 *     later builds
 */
public record BuildConfig(
    Duration timeout, Limits limits, long maxDiskBytes, long minFreeBytes, long maxCacheBytes) {
  /** Less than the smallest instance type: who visits an application comes first. */
  public static final double CPU_WEIGHT = 0.25;

  public static final BuildConfig DEFAULTS =
      new BuildConfig(
          Duration.ofMinutes(15),
          new Limits(4096, CPU_WEIGHT, 4096),
          10L << 30,
          2L << 30,
          20L << 30);

  /** What a build may not take of the disk: it is left for the store and the running programs. */
  long reserveBytes() {
    return minFreeBytes / 2;
  }

  public BuildConfig {
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("build.timeout must be positive, not " + timeout);
    }
    if (limits.memoryMb() < 64) {
      throw new IllegalArgumentException(
          "build.memory_mb must be 64 or more, not " + limits.memoryMb());
    }
  }
}
