package dev.slipway.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The log of requests.
 *
 * @param folder of its files
 * @param keep how long a file is kept
 * @param maxMb MiB of all files together
 */
public record AccessLogConfig(boolean enabled, Path folder, Duration keep, int maxMb) {
  static AccessLogConfig read(Section section, Path dataDir) {
    AccessLogConfig config =
        new AccessLogConfig(
            section.value("enabled", true, Kinds.FLAG),
            section.value("folder", dataDir.resolve("logs"), Kinds.PATH),
            section.value("keep", Duration.ofDays(14), Kinds.DURATION),
            section.value("max_mb", 1 << 10, Kinds.COUNT));
    section.end();
    return config;
  }
}
