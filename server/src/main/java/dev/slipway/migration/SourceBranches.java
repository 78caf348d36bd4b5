package dev.slipway.migration;

import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Turns;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHosts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Which branches a repository has, for who is about to migrate it. Thread-safe. */
public final class SourceBranches {
  private static final int AT_ONCE = 8;

  private final SourceHosts hosts;
  private final Duration limit;
  private final Turns turns = new Turns(AT_ONCE);

  /**
   * @param limit for one answer, the wait for others included
   */
  public SourceBranches(SourceHosts hosts, Duration limit) {
    this.hosts = hosts;
    this.limit = limit;
  }

  /**
   * The names of all branches; blocks for as long as the limit allows. The repository is reached as
   * a migration of the account would reach it.
   *
   * @throws RequestException {@code INVALID_REQUEST} with the sentence that a migration would fail
   *     with; {@code UNAVAILABLE} when the time is over
   */
  public List<String> of(AccountId account, String kind, RepoName repo)
      throws InterruptedException {
    // Closing it waits for the question, which ends soon after it was interrupted.
    try (ExecutorService alone = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        return asked(alone, account, kind, repo).get(limit.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw refusal(e);
      } catch (TimeoutException late) {
        throw new RequestException(
            ErrorCode.UNAVAILABLE,
            "The git host %s did not name the branches of %s within %d s; try again, or write the branch's name."
                .formatted(kind, repo, limit.toSeconds()));
      } finally {
        alone.shutdownNow();
      }
    }
  }

  private Future<List<String>> asked(
      ExecutorService alone, AccountId account, String kind, RepoName repo) {
    return alone.submit(() -> {
      try (Turns.Turn _ = turns.take(account)) {
        return hosts.branches(kind, account, repo);
      }
    });
  }

  private static RuntimeException refusal(ExecutionException e) {
    return switch (e.getCause()) {
      case AppFailure failure ->
          new RequestException(ErrorCode.INVALID_REQUEST, failure.failure().message());
      case RuntimeException fault -> fault;
      case null, default -> new IllegalStateException(e);
    };
  }
}
