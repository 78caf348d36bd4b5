package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Eventually;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.framework.Frameworks;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Checkout;
import dev.slipway.source.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DryRunTest {
  private static final AccountId ADA = new AccountId("acc_ada");
  private static final AccountId GRACE = new AccountId("acc_grace");

  @TempDir Path data;

  @Test
  void oneThatTakesTooLongIsUnavailableAndLeavesNothing() {
    DryRun dryRun = dryRun(Duration.ofMillis(100));

    RequestException refused =
        catchThrowableOfType(
            RequestException.class,
            () -> dryRun.plan(ADA, new Endless(), Overrides.NONE, Set.of()));
    assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(refused).hasMessageContaining("without dry_run");
    assertThat(Thread.interrupted()).isFalse();
    assertThat(data.resolve("builds")).isEmptyDirectory();
  }

  @Test
  void aFailureOfTheSourceComesOutAsItIsAndLeavesNothing() {
    DryRun dryRun = dryRun(Duration.ofMinutes(1));
    AppFailure failure = new AppFailure(FailureCode.BRANCH_NOT_FOUND, "There is no such branch.");

    assertThatThrownBy(() -> dryRun.plan(ADA, new Broken(failure), Overrides.NONE, Set.of()))
        .isSameAs(failure);
    assertThat(data.resolve("builds")).isEmptyDirectory();
  }

  @Test
  void withoutRoomForABuildNothingIsAskedOfTheSource() {
    AppFailure full = new AppFailure(FailureCode.DISK_FULL, "The disk is full.");
    Runnable room =
        () -> {
          throw full;
        };
    DryRun dryRun = new DryRun(data, new Frameworks(), Duration.ofMinutes(1), room);
    AppFailure asked = new AppFailure(FailureCode.INTERNAL_ERROR, "It was asked.");

    assertThatThrownBy(() -> dryRun.plan(ADA, new Broken(asked), Overrides.NONE, Set.of()))
        .isSameAs(full);
  }

  @Test
  void oneAccountLeavesHalfOfThePlacesToOthers() throws InterruptedException {
    DryRun dryRun = dryRun(Duration.ofMinutes(1));
    Held ofAda = new Held();
    Held ofGrace = new Held();
    List<Thread> all = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        all.add(start(dryRun, ADA, ofAda));
      }
      Eventually.holds(
          "two run and two wait",
          () ->
              ofAda.begun.get() == 2
                  && all.stream().allMatch(it -> it.getState() == Thread.State.WAITING));
      all.add(start(dryRun, GRACE, ofGrace));
      all.add(start(dryRun, GRACE, ofGrace));
      Eventually.holds("another account has the others", () -> ofGrace.begun.get() == 2);
      assertThat(ofAda.begun).hasValue(2);

      ofAda.end.countDown();
      Eventually.holds("those that waited ran", () -> ofAda.begun.get() == 4);
    } finally {
      ofAda.end.countDown();
      ofGrace.end.countDown();
      for (Thread thread : all) {
        thread.join();
      }
    }
  }

  private static Thread start(DryRun dryRun, AccountId account, Source source) {
    return Thread.ofPlatform()
        .start(() ->
            assertThatThrownBy(() -> dryRun.plan(account, source, Overrides.NONE, Set.of()))
                .isInstanceOf(AppFailure.class));
  }

  private DryRun dryRun(Duration limit) {
    return new DryRun(data, new Frameworks(), limit, () -> {});
  }

  /** Fetches until it is interrupted. */
  private record Endless() implements Source {
    @Override
    public String resolve() {
      return "0";
    }

    @Override
    public Checkout fetch(String sha, Path directory) {
      while (!Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
      throw new CancellationException("interrupted");
    }
  }

  /** Is asked, and waits to be let go. */
  private static final class Held implements Source {
    final AtomicInteger begun = new AtomicInteger();
    final CountDownLatch end = new CountDownLatch(1);

    @Override
    public String resolve() {
      begun.incrementAndGet();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new AppFailure(FailureCode.SOURCE_NOT_FOUND, "There is no such repository.");
    }

    @Override
    public Checkout fetch(String sha, Path directory) {
      throw new IllegalStateException("nothing to fetch");
    }
  }

  private record Broken(AppFailure failure) implements Source {
    @Override
    public String resolve() {
      throw failure;
    }

    @Override
    public Checkout fetch(String sha, Path directory) {
      throw failure;
    }
  }
}
