package dev.slipway.dashboard;

import java.util.List;
import java.util.Locale;

/**
 * Numbers drawn from left to right, as the path of an SVG.
 *
 * @param values none below zero
 * @param top the value at the upper edge
 */
public record Curve(List<Double> values, double top) {
  private static final double MARGIN = 1;

  public Curve {
    values = List.copyOf(values);
  }

  /** Drawn as high as the largest of them is. */
  public static Curve of(List<Double> values) {
    return new Curve(values, values.stream().mapToDouble(it -> it).max().orElse(0));
  }

  /** Whether there is nothing to draw but the ground. */
  public boolean isFlat() {
    return values.size() < 2 || top <= 0 || values.stream().allMatch(it -> it == 0);
  }

  /** The curve in a box of that size. */
  public String line(double width, double height) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      double x = i * width / Math.max(1, values.size() - 1);
      double y = height - MARGIN - (height - 2 * MARGIN) * (top > 0 ? values.get(i) / top : 0);
      path.append(i == 0 ? 'M' : 'L').append(coordinate(x)).append(' ').append(coordinate(y));
    }
    return path.toString();
  }

  /** What lies below it. */
  public String area(double width, double height) {
    return line(width, height)
        + "L%s %sL0 %sZ".formatted(coordinate(width), coordinate(height), coordinate(height));
  }

  private static String coordinate(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
