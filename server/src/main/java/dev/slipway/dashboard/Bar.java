package dev.slipway.dashboard;

import java.util.Locale;

/** How much of a limit is used. */
public record Bar(String label, double used, double limit, String shown) {
  private static final double NEAR = 0.8;

  static Bar of(String label, long used, long limit) {
    return new Bar(
        label, used, limit, "%s of %s".formatted(Shown.number(used), Shown.number(limit)));
  }

  /** Of a hundred. */
  public String width() {
    return String.format(Locale.ROOT, "%.1f", 100 * share());
  }

  /** Whether little is left. */
  public boolean isNear() {
    return share() >= NEAR;
  }

  private double share() {
    return limit <= 0 ? 1 : Math.min(1, used / limit);
  }
}
