package dev.slipway.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Keep-alive connections that ask one host again and again until the load is ended. Each answer is
 * judged; a connection that broke is counted and made anew.
 */
final class Load {
  /** As fast as answers come. */
  static final int UNPACED = 0;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final int port;
  private final String host;
  private final boolean keepAlive;
  private final LongAdder requests = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final Faults faults = new Faults();
  private final List<Thread> threads = new ArrayList<>();
  private final long begun = System.nanoTime();
  private volatile String expected = "";
  private volatile boolean ended;

  private Load(int port, String host, boolean keepAlive) {
    this.port = port;
    this.host = host;
    this.keepAlive = keepAlive;
  }

  /**
   * @param stale answers of a release to requests sent when another was known to be live
   * @param firstFaults what went wrong, with the millisecond of the load
   */
  record Report(
      long requests, long failed, long stale, double perSecond, List<String> firstFaults) {}

  /**
   * @param perSecond over all connections, or {@link #UNPACED}
   * @param keepAlive false: a connection for each request
   */
  static Load start(int port, String host, int connections, int perSecond, boolean keepAlive) {
    Load load = new Load(port, host, keepAlive);
    Duration gap =
        perSecond == UNPACED
            ? Duration.ZERO
            : Duration.ofSeconds(1).multipliedBy(connections).dividedBy(perSecond);
    for (int i = 0; i < connections; i++) {
      Duration offset = gap.multipliedBy(i).dividedBy(connections);
      load.threads.add(Thread.ofVirtual().name("load-" + i).start(() -> load.ask(offset, gap)));
    }
    return load;
  }

  /** From now on every answer has to contain this; empty while releases change. */
  void expect(String text) {
    expected = text;
  }

  Report end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    return new Report(
        requests.sum(), faults.count(), stale.sum(), requests.sum() / seconds, faults.first());
  }

  private void ask(Duration offset, Duration gap) {
    long due = begun + offset.toNanos();
    while (!ended) {
      try (Http http = new Http(port, TIMEOUT)) {
        do {
          pauseUntil(due);
          due += gap.toNanos();
          askOnce(http);
        } while (keepAlive && !ended && !http.closing());
      } catch (IOException e) {
        requests.increment();
        fault("no answer: " + e);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }

  private void askOnce(Http http) throws IOException {
    String before = expected;
    Http.Answer answer = http.get(host, "/");
    requests.increment();
    if (answer.status() != 200) {
      fault("status " + answer.status() + ": " + answer.body());
    } else if (before.equals(expected) && !answer.body().contains(before)) {
      stale.increment();
    }
  }

  private void fault(String what) {
    faults.add("%d ms: %s".formatted((System.nanoTime() - begun) / 1_000_000, what));
  }

  private static void pauseUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
