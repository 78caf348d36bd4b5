package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.PrivateAddresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
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

  /** Of an account: it shall not have the threads of all. */
  static final int MOST_HANGING = 16;

  private final boolean allowPrivate;
  private final Lookup lookup;
  private final Duration limit;
  private final Map<AccountId, Integer> hanging = new ConcurrentHashMap<>();

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
    this(allowPrivate, InetAddress::getAllByName, LIMIT);
  }

  /**
   * @param limit for one lookup
   */
  Targets(boolean allowPrivate, Lookup lookup, Duration limit) {
    this.allowPrivate = allowPrivate;
    this.lookup = lookup;
    this.limit = limit;
  }

  /** What tells the addresses of a name. */
  interface Lookup {
    InetAddress[] of(String host) throws UnknownHostException;
  }

  /**
   * @param host a name, or an address in whatever form the system's resolver takes
   * @return in the order in which they are to be tried
   * @throws Unanswered where there is none, or one that may not be connected to
   * @throws Crowded where too many lookups hang, of the account or of all
   */
  List<InetAddress> of(AccountId account, String host)
      throws Unanswered, Crowded, InterruptedException {
    List<InetAddress> all = resolved(account, EndpointUrl.bare(host));
    // All of them: which one is connected to may depend on chance.
    if (!allowPrivate && all.stream().anyMatch(PrivateAddresses::contain)) {
      throw new Unanswered(
          "%s leads to an address that is not one of the public internet; nothing was sent."
              .formatted(host));
    }
    return all.stream().limit(MOST_TRIED).toList();
  }

  private List<InetAddress> resolved(AccountId account, String host)
      throws Unanswered, Crowded, InterruptedException {
    if (hanging.getOrDefault(account, 0) >= MOST_HANGING) {
      throw new Crowded();
    }
    CompletableFuture<List<InetAddress>> asked = new CompletableFuture<>();
    try {
      lookups.execute(() -> ask(host, asked));
      return asked.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new Crowded();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException) {
        throw new Unanswered("The name %s was not found in DNS.".formatted(host));
      }
      throw new IllegalStateException("a name cannot be looked up", e);
    } catch (TimeoutException e) {
      hanging.merge(account, 1, Integer::sum);
      var _ = asked.whenComplete((_, _) -> ended(account));
      throw new Unanswered(
          "DNS did not say within %d s where %s is.".formatted(limit.toSeconds(), host));
    }
  }

  private void ask(String host, CompletableFuture<List<InetAddress>> asked) {
    try {
      asked.complete(List.of(lookup.of(host)));
    } catch (UnknownHostException | RuntimeException e) {
      asked.completeExceptionally(e);
    }
  }

  private void ended(AccountId account) {
    hanging.computeIfPresent(account, (_, count) -> count == 1 ? null : count - 1);
  }

  @Override
  public void close() {
    lookups.shutdownNow();
  }
}
