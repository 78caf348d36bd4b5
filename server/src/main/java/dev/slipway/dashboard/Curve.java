package dev.slipway.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Numbers drawn from left to right, as the path of an SVG.
 *
 * @param values none below zero; NaN where nothing is known, which is a gap
 * @param top the value at the upper edge
 */
public record Curve(List<Double> values, double top) {
  private static final double MARGIN = 1;

  public Curve {
    values = List.copyOf(values);
  }

  /** Drawn as high as the largest of them is. */
  public static Curve of(List<Double> values) {
    return new Curve(values, highest(values));
  }

  /**
   * Of numbers that are counted up in steps of time, the last of which goes on: without that as
   * long as it is lower than the one before it, which would look like a fall.
   */
  static List<Double> soFar(List<Double> values) {
    int last = values.size() - 1;
    if (last < 1 || values.get(last) >= values.get(last - 1)) {
      return values;
    }
    List<Double> shown = new ArrayList<>(values);
    shown.set(last, Double.NaN);
    return shown;
  }

  /** The largest; 0 where nothing is known. */
  static double highest(List<Double> values) {
    return values.stream().filter(it -> !it.isNaN()).mapToDouble(it -> it).max().orElse(0);
  }

  /** Whether there is nothing to draw but the ground. */
  public boolean isFlat() {
    return values.size() < 2 || top <= 0 || highest(values) <= 0;
  }

  /** The curve in a box of that size. */
  public String line(double width, double height) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      if (known(i)) {
        path.append(known(i - 1) ? 'L' : 'M').append(point(i, width, height));
        if (!known(i - 1) && !known(i + 1)) {
          path.append("h1"); // alone it would not be seen
        }
      }
    }
    return path.toString();
  }

  /** What lies below it. */
  public String area(double width, double height) {
    StringBuilder path = new StringBuilder();
    String ground = coordinate(height);
    for (int i = 0; i < values.size(); i++) {
      if (known(i)) {
        String x = coordinate(x(i, width));
        if (!known(i - 1)) {
          path.append('M').append(x).append(' ').append(ground);
        }
        path.append('L').append(point(i, width, height));
        if (!known(i + 1)) {
          path.append('L').append(x).append(' ').append(ground).append('Z');
        }
      }
    }
    return path.toString();
  }

  private boolean known(int i) {
    return i >= 0 && i < values.size() && !values.get(i).isNaN();
  }

  private double x(int i, double width) {
    return i * width / Math.max(1, values.size() - 1);
  }

  private String point(int i, double width, double height) {
    double y = height - MARGIN - (height - 2 * MARGIN) * (top > 0 ? values.get(i) / top : 0);
    return coordinate(x(i, width)) + " " + coordinate(y);
  }

  private static String coordinate(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
