package dev.slipway.metric;

import java.util.Arrays;
import java.util.stream.LongStream;

/** A row of counts, such as one for each range of times. What is beyond its end is 0. */
final class Counts {
  static final Counts NONE = new Counts(new long[0]);

  private final long[] values;

  private Counts(long[] values) {
    this.values = values;
  }

  static Counts of(LongStream values) {
    return new Counts(values.toArray());
  }

  long at(int index) {
    return index < values.length ? values[index] : 0;
  }

  int size() {
    return values.length;
  }

  long sum() {
    return stream().sum();
  }

  /** Of those from {@code from} and before {@code to}. */
  long between(int from, int to) {
    return LongStream.range(from, to).map(i -> at((int) i)).sum();
  }

  LongStream stream() {
    return Arrays.stream(values);
  }

  Counts plus(Counts other) {
    return combined(other, 1);
  }

  Counts minus(Counts other) {
    return combined(other, -1);
  }

  private Counts combined(Counts other, int sign) {
    return of(
        LongStream.range(0, Math.max(size(), other.size()))
            .map(i -> at((int) i) + sign * other.at((int) i)));
  }

  /** Without the zeros at its end. */
  Counts trimmed() {
    int end = values.length;
    while (end > 0 && values[end - 1] == 0) {
      end--;
    }
    return new Counts(Arrays.copyOf(values, end));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Counts counts
        && Arrays.equals(trimmed().values, counts.trimmed().values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(trimmed().values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
