package dev.slipway.edge;

import dev.slipway.metric.TrafficMeters;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what was refused. A line in the log for each kind now and then: whoever floods the port
 * must not fill the disk with it. Thread-safe.
 */
final class Refusals {
  private static final Logger log = LoggerFactory.getLogger(Refusals.class);
  private static final long BETWEEN_LINES_NANOS = Duration.ofSeconds(10).toNanos();

  private final Map<Refusal, Kind> kinds = new EnumMap<>(Refusal.class);

  Refusals() {
    for (Refusal why : Refusal.values()) {
      kinds.put(why, new Kind());
    }
  }

  void add(Refusal why, SocketAddress client) {
    Kind kind = kind(why);
    kind.count.increment();
    long now = System.nanoTime();
    long next = kind.nextLineNanos.get();
    if (now - next >= 0 && kind.nextLineNanos.compareAndSet(next, now + BETWEEN_LINES_NANOS)) {
      log.info("connection ended client={}: {} ({} until now)", client, why.words(), count(why));
    }
  }

  void reportTo(TrafficMeters meters) {
    kinds.forEach(
        (why, kind) -> meters.refusals(why.name().toLowerCase(Locale.ROOT), kind.count::sum));
  }

  long count(Refusal why) {
    return kind(why).count.sum();
  }

  private Kind kind(Refusal why) {
    return kinds.getOrDefault(why, new Kind());
  }

  private static final class Kind {
    private final LongAdder count = new LongAdder();
    private final AtomicLong nextLineNanos = new AtomicLong(System.nanoTime());
  }
}
