package dev.slipway.acceptance;

import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Visitors who ask an app again and again, each for the next answer as soon as the last one has
 * come, on connections that are kept. What is not a 200 is written down.
 */
final class Load implements AutoCloseable {
  private final AtomicInteger answers = new AtomicInteger();
  private final Set<String> failures = ConcurrentHashMap.newKeySet();
  private final List<Thread> visitors = new ArrayList<>();
  private volatile boolean over;

  private Load(Supplier<Reply> visit, int count) {
    for (int i = 0; i < count; i++) {
      visitors.add(Thread.ofVirtual().start(() -> visitOften(visit)));
    }
  }

  static Load on(App app, int visitors) {
    return new Load(app::visit, visitors);
  }

  /** Past the server, at the port of the app's own. */
  static Load onPort(App app, int port, int visitors) {
    Api direct = new Api(app.slipway().http(), URI.create("http://127.0.0.1:" + port), "none");
    return new Load(() -> direct.send(direct.anonymous("/")), visitors);
  }

  private void visitOften(Supplier<Reply> visit) {
    while (!over) {
      try {
        Reply reply = visit.get();
        if (reply.status() == 200) {
          answers.incrementAndGet();
        } else {
          failures.add(reply.toString());
        }
      } catch (UncheckedIOException e) {
        failures.add(e.toString());
      }
    }
  }

  int answers() {
    return answers.get();
  }

  /** Each kind once. */
  Set<String> failures() {
    return Set.copyOf(failures);
  }

  /** Returns when each has its last answer. */
  @Override
  public void close() {
    over = true;
    for (Thread visitor : visitors) {
      try {
        visitor.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }
}
