package dev.slipway.metric;

/**
 * What was counted of requests.
 *
 * @param byClass by the first digit of the status: 1xx first
 * @param aborted of all, those whose answer did not reach its end
 * @param answerNanos the sum of the times until the answer began
 * @param latencies these times by the ranges of {@link Latencies}
 */
record Totals(
    Counts byClass,
    long aborted,
    long receivedBytes,
    long sentBytes,
    long answerNanos,
    Counts latencies) {
  static final int STATUS_CLASSES = 5;
  static final Totals NONE = new Totals(Counts.NONE, 0, 0, 0, 0, Counts.NONE);

  long requests() {
    return byClass.sum();
  }

  Totals plus(Totals other) {
    return new Totals(
        byClass.plus(other.byClass),
        aborted + other.aborted,
        receivedBytes + other.receivedBytes,
        sentBytes + other.sentBytes,
        answerNanos + other.answerNanos,
        latencies.plus(other.latencies));
  }

  /** What has been added since {@code earlier}. */
  Totals since(Totals earlier) {
    return new Totals(
        byClass.minus(earlier.byClass),
        aborted - earlier.aborted,
        receivedBytes - earlier.receivedBytes,
        sentBytes - earlier.sentBytes,
        answerNanos - earlier.answerNanos,
        latencies.minus(earlier.latencies));
  }
}
