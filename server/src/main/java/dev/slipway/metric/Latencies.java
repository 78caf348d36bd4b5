package dev.slipway.metric;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * How long requests took, as counts of ranges: what several processes counted can be added up. Four
 * ranges between a time and its double, so that what is read from them is right within an eighth;
 * below a quarter of a millisecond they are of equal width.
 */
public final class Latencies {
  private static final int UNIT_BITS = 16; // of 65.5 microseconds
  private static final int PART_BITS = 2;
  private static final int PARTS = 1 << PART_BITS;

  /** The last range is open: from about 18 minutes. */
  static final int RANGES = 96;

  private static final double NANOS_PER_SECOND = 1e9;

  private final AtomicLongArray counts = new AtomicLongArray(RANGES);

  void add(long nanos) {
    counts.incrementAndGet(range(nanos));
  }

  Counts counts() {
    return Counts.of(IntStream.range(0, RANGES).mapToLong(counts::get));
  }

  static int range(long nanos) {
    long units = Math.max(0, nanos) >> UNIT_BITS;
    if (units < PARTS) {
      return (int) units;
    }
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(units);
    int part = (int) (units >> (octave - PART_BITS)) & (PARTS - 1);
    return Math.min(PARTS * (octave - PART_BITS + 1) + part, RANGES - 1);
  }

  /** Where a range begins, in seconds; that of the next one is its end. */
  static double beginSeconds(int range) {
    if (range < PARTS) {
      return range * (double) (1L << UNIT_BITS) / NANOS_PER_SECOND;
    }
    int octave = range / PARTS - 1 + PART_BITS;
    long units = (long) (PARTS + range % PARTS) << (octave - PART_BITS);
    return units * (double) (1L << UNIT_BITS) / NANOS_PER_SECOND;
  }

  /**
   * The time, in seconds, that a share of the requests stayed below.
   *
   * @param counts at least one above 0
   */
  static double quantileSeconds(Counts counts, double share) {
    double wanted = counts.sum() * share;
    double before = 0;
    for (int range = 0; range < counts.size(); range++) {
      long within = counts.at(range);
      if (within > 0 && before + within >= wanted) {
        double begin = beginSeconds(range);
        return begin + (wanted - before) / within * (beginSeconds(range + 1) - begin);
      }
      before += within;
    }
    return beginSeconds(counts.size());
  }
}
