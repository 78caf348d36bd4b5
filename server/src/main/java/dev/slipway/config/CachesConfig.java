package dev.slipway.config;

/**
 * @param maxMb MiB of dependencies, caches of frameworks and downloads that are kept for later
 *     builds
 */
public record CachesConfig(int maxMb) {
  public static final CachesConfig DEFAULTS = new CachesConfig(20 << 10);

  static CachesConfig read(Section section) {
    int maxMb = section.value("max_mb", DEFAULTS.maxMb, Kinds.COUNT);
    section.end();
    return new CachesConfig(maxMb);
  }
}
