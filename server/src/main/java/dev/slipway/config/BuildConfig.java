package dev.slipway.config;

import java.time.Duration;

/**
 * @param concurrency builds at once on this machine
 * @param timeout from fetch to packed release
 * @param memoryMb MiB for all processes of one build, hard
 * @param diskMb MiB that one build may write to the disk
 */
public record BuildConfig(int concurrency, Duration timeout, int memoryMb, int diskMb) {
  public static final BuildConfig DEFAULTS =
      new BuildConfig(1, Duration.ofMinutes(15), 4096, 10_240);

  static BuildConfig read(Section section) {
    BuildConfig config =
        new BuildConfig(
            section.value("concurrency", DEFAULTS.concurrency, Kinds.COUNT),
            section.value("timeout", DEFAULTS.timeout, Kinds.DURATION),
            section.value("memory_mb", DEFAULTS.memoryMb, Kinds.MEMORY_MB),
            section.value("disk_mb", DEFAULTS.diskMb, Kinds.MEMORY_MB));
    section.end();
    return config;
  }
}
