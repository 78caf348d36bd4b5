package dev.slipway.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.source.Checkout;
import dev.slipway.source.FakeSourceHost;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHost;
import dev.slipway.source.SourceHosts;
import dev.slipway.source.SourceRef;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SourceBranchesTest {
  private static final AccountId ACCOUNT = AccountId.next();
  private static final RepoName SHOP = new RepoName("acme/shop");

  private final FakeSourceHost host = new FakeSourceHost();

  @Test
  void theBranchesAreThoseOfTheHost() throws InterruptedException {
    assertThat(branches(host, Duration.ofMinutes(1)).of(ACCOUNT, "github", SHOP))
        .containsExactly("main", "next");
  }

  @Test
  void whatAMigrationWouldFailWithIsTheReason() {
    host.failOnce(new AppFailure(FailureCode.SOURCE_NOT_FOUND, "There is no acme/shop."));
    RequestException refusal =
        catchThrowableOfType(
            RequestException.class,
            () -> branches(host, Duration.ofMinutes(1)).of(ACCOUNT, "github", SHOP));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(refusal).hasMessage("There is no acme/shop.");
  }

  @Test
  void aHostThatDoesNotAnswerIsNotWaitedForAndItsQuestionEnds() throws InterruptedException {
    Silent silent = new Silent();
    RequestException refusal =
        catchThrowableOfType(
            RequestException.class,
            () -> branches(silent, Duration.ofMillis(20)).of(ACCOUNT, "github", SHOP));

    assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("acme/shop");
    assertThat(silent.ended.await(20, TimeUnit.SECONDS)).isTrue();
  }

  private static SourceBranches branches(SourceHost host, Duration limit) {
    return new SourceBranches(
        new SourceHosts(List.of(new SourceHosts.Entry(host, host, _ -> true))), limit);
  }

  /** A git host that takes questions and answers none. */
  private static final class Silent implements SourceHost {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public String kind() {
      return "github";
    }

    @Override
    public String resolve(SourceRef ref) {
      throw new AssertionError("resolved");
    }

    @Override
    public Checkout fetch(SourceRef ref, String sha, Path directory) {
      throw new AssertionError("fetched");
    }

    @Override
    public List<String> branches(RepoName repo) {
      try {
        new CountDownLatch(1).await();
        return List.of();
      } catch (InterruptedException e) {
        ended.countDown();
        throw new CancellationException("interrupted");
      }
    }
  }
}
