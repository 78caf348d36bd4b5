package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AppFailure;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.framework.Frameworks;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Checkout;
import dev.slipway.source.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DryRunTest {
  @TempDir Path data;

  @Test
  void oneThatTakesTooLongIsUnavailableAndLeavesNothing() {
    DryRun dryRun = dryRun(Duration.ofMillis(100));

    RequestException refused =
        catchThrowableOfType(
            RequestException.class, () -> dryRun.plan(new Endless(), Overrides.NONE, Set.of()));
    assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(refused).hasMessageContaining("without dry_run");
    assertThat(Thread.interrupted()).isFalse();
    assertThat(data.resolve("builds")).isEmptyDirectory();
  }

  @Test
  void aFailureOfTheSourceComesOutAsItIsAndLeavesNothing() {
    DryRun dryRun = dryRun(Duration.ofMinutes(1));
    AppFailure failure = new AppFailure(FailureCode.BRANCH_NOT_FOUND, "There is no such branch.");

    assertThatThrownBy(() -> dryRun.plan(new Broken(failure), Overrides.NONE, Set.of()))
        .isSameAs(failure);
    assertThat(data.resolve("builds")).isEmptyDirectory();
  }

  private DryRun dryRun(Duration limit) {
    return new DryRun(data, new Frameworks(), limit);
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
