package dev.slipway.webhook;

import dev.slipway.core.PrivateAddresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Which addresses may be connected to for a host. Whoever connects does so to these and asks nobody
 * again: a name may lead elsewhere a moment later. Thread-safe.
 */
final class Targets implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** As many as there can be attempts at once; those that hang outlive theirs. */
  private static final int THREADS = Slots.ALL;

  private static final int IDLE_SECONDS = 30;

  /** Who has more is asked at these alone. */
  private static final int MOST_TRIED = 3;

  private final boolean allowPrivate;

  // The system's resolver holds the thread that waits for it, also where that is a virtual one.
  private final ExecutorService lookups =
      new ThreadPoolExecutor(
          0,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("names of webhooks ", 0).factory());

  Targets(boolean allowPrivate) {
    this.allowPrivate = allowPrivate;
  }

  /**
   * @param host a name, or an address in whatever form the system's resolver takes
   * @return in the order in which they are to be tried
   * @throws Unanswered where there is none, or one that may not be connected to
   */
  List<InetAddress> of(String host) throws Unanswered, InterruptedException {
    List<InetAddress> all = resolved(EndpointUrl.bare(host));
    // All of them: which one is connected to may depend on chance.
    if (!allowPrivate && all.stream().anyMatch(PrivateAddresses::contain)) {
      throw new Unanswered(
          "%s leads to an address that is not one of the public internet; nothing was sent."
              .formatted(host));
    }
    return all.stream().limit(MOST_TRIED).toList();
  }

  private List<InetAddress> resolved(String host) throws Unanswered, InterruptedException {
    try {
      Future<List<InetAddress>> asked =
          lookups.submit(() -> List.of(InetAddress.getAllByName(host)));
      return asked.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException) {
        throw new Unanswered("The name %s was not found in DNS.".formatted(host));
      }
      throw new IllegalStateException("a name cannot be looked up", e);
    } catch (TimeoutException | RejectedExecutionException e) {
      throw new Unanswered(
          "DNS did not say within %d s where %s is.".formatted(LIMIT.toSeconds(), host));
    }
  }

  @Override
  public void close() {
    lookups.shutdownNow();
  }
}
