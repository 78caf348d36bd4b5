package dev.slipway.db;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one PostgreSQL running, on one port, until it is told to stop it or to leave it alone.
 *
 * <p>All of it happens on one thread of the platform that lives as long as the server: Linux ends a
 * child marked with {@code PR_SET_PDEATHSIG} when the <em>thread</em> that forked it ends.
 */
final class PostgresSupervisor {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSupervisor.class);
  private static final Duration FIRST_DELAY = Duration.ofMillis(50);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration FAST_SHUTDOWN = Duration.ofSeconds(30);
  private static final Duration IMMEDIATE_SHUTDOWN = Duration.ofSeconds(5);

  /** One that is being started again is left to itself. */
  private static final Duration LEAVING_MAY_TAKE = Duration.ofSeconds(5);

  private final PostgresLauncher launcher;
  private final DirectoryLock lock;
  private final boolean outlivesServer;
  private final CompletableFuture<StoreAddress> ready = new CompletableFuture<>();
  private final CompletableFuture<End> endRequested = new CompletableFuture<>();
  private final Thread thread;

  /**
   * @param lock of the cluster's home; held until nothing is done there any more
   * @param outlivesServer whether whoever gives up the start leaves it running
   */
  PostgresSupervisor(PostgresLauncher launcher, DirectoryLock lock, boolean outlivesServer) {
    this.launcher = launcher;
    this.lock = lock;
    this.outlivesServer = outlivesServer;
    this.thread = Thread.ofPlatform().daemon().name("postgres-supervisor").unstarted(this::run);
  }

  /** What becomes of PostgreSQL when nobody watches it any more. */
  private enum End {
    STOPPED,
    LEFT_RUNNING
  }

  /** Returns when connections are accepted; throws what kept the first start from it. */
  StoreAddress start() {
    thread.start();
    try {
      return ready.get();
    } catch (ExecutionException e) {
      awaitEnd(LEAVING_MAY_TAKE); // until another start finds the home unlocked
      throw new IllegalStateException(
          String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()), e.getCause());
    } catch (InterruptedException e) {
      endRequested.complete(outlivesServer ? End.LEFT_RUNNING : End.STOPPED);
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL started", e);
    }
  }

  /** Returns when PostgreSQL has ended. May be called again. */
  void stop() {
    endRequested.complete(End.STOPPED);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Watches it no longer, and leaves it as it is. */
  void leave() {
    endRequested.complete(End.LEFT_RUNNING);
    awaitEnd(LEAVING_MAY_TAKE);
  }

  private void awaitEnd(Duration limit) {
    try {
      var _ = thread.join(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      startAndWatch();
    } finally {
      lock.close();
    }
  }

  private void startAndWatch() {
    PostgresLauncher.Running running;
    try {
      running = launcher.adoptOrStart();
    } catch (RuntimeException e) {
      ready.completeExceptionally(e);
      return;
    }
    ready.complete(running.address());
    Optional<ProcessHandle> last = keepRunning(running);
    if (endRequested.join() == End.STOPPED) {
      last.ifPresent(this::shutDown);
    }
  }

  /** The process that ran when the stop was asked for. */
  private Optional<ProcessHandle> keepRunning(PostgresLauncher.Running first) {
    Optional<ProcessHandle> current = Optional.of(first.process());
    while (current.isPresent() && endsBeforeStop(current.get())) {
      LOG.warn(
          "PostgreSQL ended without being asked to and is started again: port={}", first.port());
      current = startAgain(first.port());
    }
    return current;
  }

  // A child of ours wakes this at once; of one that was taken over only looking tells.
  private boolean endsBeforeStop(ProcessHandle process) {
    CompletableFuture<?> event = CompletableFuture.anyOf(process.onExit(), endRequested);
    while (!isDoneWithin(event, LOOK_EVERY) && launcher.isRunning(process)) {
      launcher.boundLog();
    }
    return !endRequested.isDone();
  }

  // The same port: whoever holds its address, the pool above all, recovers by itself.
  private Optional<ProcessHandle> startAgain(int port) {
    Duration delay = FIRST_DELAY;
    while (!isDoneWithin(endRequested, delay)) {
      try {
        return Optional.of(launcher.start(port).process());
      } catch (RuntimeException e) {
        delay = shorter(delay.multipliedBy(2), LONGEST_DELAY);
        LOG.warn("PostgreSQL cannot be started, next attempt in {} ms", delay.toMillis(), e);
      }
    }
    return Optional.empty();
  }

  private static boolean isDoneWithin(CompletableFuture<?> event, Duration limit) {
    try {
      event.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      return true; // nobody does either to this thread
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void shutDown(ProcessHandle process) {
    Signal.INTERRUPT.send(process);
    if (Pause.until(() -> !launcher.isRunning(process), FAST_SHUTDOWN)) {
      return;
    }
    LOG.warn("PostgreSQL did not end within {}: it is ended without a checkpoint", FAST_SHUTDOWN);
    Signal.QUIT.send(process);
    if (!Pause.until(() -> !launcher.isRunning(process), IMMEDIATE_SHUTDOWN)) {
      process.destroyForcibly();
    }
  }
}
