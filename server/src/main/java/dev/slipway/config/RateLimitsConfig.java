package dev.slipway.config;

/**
 * @param unauthenticatedPerMinute requests of one address without a valid key
 */
public record RateLimitsConfig(int unauthenticatedPerMinute) {
  public static final RateLimitsConfig DEFAULTS = new RateLimitsConfig(30);

  static RateLimitsConfig read(Section section) {
    int limit =
        section.value("unauthenticated_per_minute", DEFAULTS.unauthenticatedPerMinute, Kinds.COUNT);
    section.end();
    return new RateLimitsConfig(limit);
  }
}
