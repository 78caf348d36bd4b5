package dev.slipway.metric;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * The requests of one project in this process, counted since it began. Counting costs a few
 * additions and leaves no garbage. Thread-safe.
 */
public final class Traffic {
  private static final int SWITCHED = 101;

  private final long order;
  private final LongAdder begun = new LongAdder();
  private final LongAdder[] ended = new LongAdder[Totals.STATUS_CLASSES];
  private final LongAdder aborted = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder answerNanos = new LongAdder();
  private final Latencies latencies = new Latencies();

  /**
   * @param order of all, which one this is
   */
  Traffic(long order) {
    this.order = order;
    for (int i = 0; i < Totals.STATUS_CLASSES; i++) {
      ended[i] = new LongAdder();
    }
  }

  long order() {
    return order;
  }

  /** To be followed by {@link #ended} once. */
  public void begun() {
    begun.increment();
  }

  /**
   * @param aborted the answer did not reach its end
   * @param receivedBytes of bodies, or of what went over a WebSocket
   * @param sentBytes the same
   * @param answeredNanos until the answer began
   */
  public void ended(
      int status, boolean aborted, long receivedBytes, long sentBytes, long answeredNanos) {
    ended[Math.clamp(status / 100 - 1, 0, Totals.STATUS_CLASSES - 1)].increment();
    if (aborted) {
      this.aborted.increment();
    }
    received.add(receivedBytes);
    sent.add(sentBytes);
    if (status != SWITCHED) {
      answerNanos.add(answeredNanos);
      latencies.add(answeredNanos);
    }
  }

  /** All of it until now; of what is counted meanwhile it may have a part. */
  Totals totals() {
    return new Totals(
        Counts.of(Arrays.stream(ended).mapToLong(LongAdder::sum)),
        aborted.sum(),
        received.sum(),
        sent.sum(),
        answerNanos.sum(),
        latencies.counts());
  }

  /** How many are under way. */
  long inFlight() {
    long done = 0;
    for (LongAdder status : ended) {
      done += status.sum();
    }
    return Math.max(0, begun.sum() - done); // ends first: what begins meanwhile counts as begun
  }
}
