package dev.slipway.database.postgres;

import dev.slipway.core.TransientException;
import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.StoreAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Brings a cluster up, on a thread that nobody interrupts: whoever needs it may stop waiting, the
 * start goes on. One attempt at a time. Thread-safe; only {@link #stop} waits for long.
 */
final class ClusterStart {
  private static final Duration LEAVING_MAY_TAKE = Duration.ofSeconds(5);
  private static final Duration START_MAY_TAKE = Duration.ofMinutes(5);

  private final PostgresSettings settings;
  private final Consumer<StoreAddress> harden;
  private final CountDownLatch closed = new CountDownLatch(1);
  private Optional<CompletableFuture<StoreAddress>> attempt = Optional.empty();
  private Optional<EmbeddedPostgres> running = Optional.empty();

  /**
   * @param harden done once it runs, before anybody is told where
   */
  ClusterStart(PostgresSettings settings, Consumer<StoreAddress> harden) {
    this.settings = settings;
    this.harden = harden;
  }

  /** The attempt that succeeded or is under way; a new one where the last failed. */
  synchronized Future<StoreAddress> begin() {
    if (isClosed()) {
      throw new TransientException("this server is being ended");
    }
    CompletableFuture<StoreAddress> current =
        attempt
            .filter(it -> !it.isCompletedExceptionally())
            .orElseGet(() ->
                CompletableFuture.supplyAsync(
                    this::bringUp,
                    work ->
                        Thread.ofPlatform()
                            .daemon()
                            .name("start of databases of applications")
                            .start(work)));
    attempt = Optional.of(current);
    return current;
  }

  /** Where it is, once an attempt has succeeded. */
  synchronized Optional<StoreAddress> address() {
    return attempt
        .filter(it -> !isClosed() && it.state() == Future.State.SUCCESS)
        .map(CompletableFuture::join);
  }

  /** Whether it was left or stopped by the end of that time. */
  boolean isClosedWithin(Duration limit) {
    try {
      return closed.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Lets it run; one that is still starting goes on by itself. */
  void leave() {
    close().ifPresent(EmbeddedPostgres::leave);
    awaitAttempt(LEAVING_MAY_TAKE);
  }

  /** Ends it, whoever started it. */
  void stop() {
    Optional<EmbeddedPostgres> ours = close();
    awaitAttempt(START_MAY_TAKE);
    ours.or(this::takenOver).ifPresent(EmbeddedPostgres::stop);
  }

  private StoreAddress bringUp() {
    EmbeddedPostgres up = running().orElseGet(() -> keep(EmbeddedPostgres.start(settings)));
    harden.accept(up.address());
    return up.address();
  }

  private synchronized Optional<EmbeddedPostgres> running() {
    return running;
  }

  // Kept from here on: it is watched also where the rest of the attempt fails.
  private synchronized EmbeddedPostgres keep(EmbeddedPostgres started) {
    if (isClosed()) {
      started.leave();
      throw new TransientException("this server is being ended");
    }
    running = Optional.of(started);
    return started;
  }

  private synchronized Optional<EmbeddedPostgres> close() {
    closed.countDown();
    Optional<EmbeddedPostgres> last = running;
    running = Optional.empty();
    return last;
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private synchronized Optional<CompletableFuture<StoreAddress>> attempt() {
    return attempt;
  }

  private void awaitAttempt(Duration limit) {
    attempt()
        .ifPresent(it ->
            it.handle((_, _) -> true)
                .completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS)
                .join());
  }

  // One that is still recovering from a crash is waited for.
  private Optional<EmbeddedPostgres> takenOver() {
    return EmbeddedPostgres.isAlive(settings)
        ? Optional.of(EmbeddedPostgres.start(settings))
        : Optional.empty();
  }
}
