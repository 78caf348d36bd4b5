package dev.slipway.dashboard;

import java.time.Instant;
import java.util.Optional;

/**
 * A step of a deployment, with its place in the whole as a bar.
 *
 * @param state a class of the styles: {@code done}, {@code failed}, {@code running}, {@code
 *     waiting}, {@code skipped}
 * @param outcome the same for people
 * @param bar absent where it has not begun
 * @param since when it began, while it runs
 * @param took how long, or why that cannot be said
 */
public record StepLine(
    String name,
    String state,
    String outcome,
    Optional<Bar> bar,
    Optional<Instant> since,
    String took) {
  /** In hundredths of the whole. */
  public record Bar(String x, String width) {}

  /** The icon of its mark; empty for none. */
  public String icon() {
    return switch (state) {
      case "done" -> "check";
      case "failed" -> "x";
      case "skipped" -> "minus";
      default -> "";
    };
  }
}
