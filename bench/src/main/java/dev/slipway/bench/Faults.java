package dev.slipway.bench;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** What went wrong: how often, and the first of it. Thread-safe. */
final class Faults {
  private static final int KEPT = 5;

  private final LongAdder count = new LongAdder();
  private final ConcurrentLinkedQueue<String> first = new ConcurrentLinkedQueue<>();

  void add(String what) {
    count.increment();
    if (first.size() < KEPT) {
      first.add(what);
    }
  }

  long count() {
    return count.sum();
  }

  List<String> first() {
    return List.copyOf(first);
  }
}
