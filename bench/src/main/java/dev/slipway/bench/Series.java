package dev.slipway.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Times of one thing, measured again and again. Not thread-safe. */
final class Series {
  private final List<Double> millis = new ArrayList<>();

  void add(Duration time) {
    millis.add(time.toNanos() / 1e6);
  }

  int size() {
    return millis.size();
  }

  /** Milliseconds. */
  double median() {
    return quantile(0.5);
  }

  /** Milliseconds; the value below which this share of the times lies, 0 to 1. */
  double quantile(double share) {
    if (millis.isEmpty()) {
      throw new IllegalStateException("nothing was measured");
    }
    List<Double> sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    double place = share * (sorted.size() - 1);
    int below = (int) place;
    double next = sorted.get(Math.min(below + 1, sorted.size() - 1));
    return sorted.get(below) + (place - below) * (next - sorted.get(below));
  }
}
