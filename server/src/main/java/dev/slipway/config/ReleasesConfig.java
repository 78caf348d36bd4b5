package dev.slipway.config;

import java.time.Duration;

/**
 * @param keep releases of a project to which it can be rolled back
 * @param keepAssets how long pages of a replaced release find the files that they go on to load
 */
public record ReleasesConfig(int keep, Duration keepAssets) {
  public static final ReleasesConfig DEFAULTS = new ReleasesConfig(10, Duration.ofHours(24));

  static ReleasesConfig read(Section section) {
    ReleasesConfig config =
        new ReleasesConfig(
            section.value("keep", DEFAULTS.keep, Kinds.COUNT),
            section.value("keep_assets", DEFAULTS.keepAssets, Kinds.DURATION));
    section.end();
    return config;
  }
}
