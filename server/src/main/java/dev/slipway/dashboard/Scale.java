package dev.slipway.dashboard;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** The height of a plot: a round number that is not below its highest value. */
record Scale(double top) {
  /**
   * @param least what it is at the least
   */
  static Scale over(double highest, double least) {
    double wanted = Math.max(highest, least);
    double power = Math.pow(10, Math.floor(Math.log10(wanted)));
    return new Scale(
        DoubleStream.of(1, 2, 4, 6, 8, 10) // halves of them are short too
            .map(it -> it * power)
            .filter(it -> it >= wanted)
            .findFirst()
            .orElse(wanted));
  }

  /** What is written at the upper edge, the middle and the ground. */
  List<String> heights(DoubleFunction<String> text) {
    return List.of(text.apply(top), text.apply(top / 2), "0");
  }
}
