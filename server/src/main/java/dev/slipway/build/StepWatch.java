package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DiskFailures;
import dev.slipway.core.FailureCode;
import dev.slipway.sandbox.DiskUse;
import dev.slipway.sandbox.SandboxedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks after one program of a build while it runs, and ends it when it takes too much of what the
 * kernel does not bound for us: the disk, and processes that it asks for again and again.
 *
 * <p>Free space is asked for often, as that costs nothing. The build's directory is measured when
 * the free space has fallen so far that the build may be the cause, and now and then, as another
 * may have freed as much as it took.
 */
final class StepWatch {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final int LOOKS_PER_COUNT = 10;
  private static final Duration MEASURE_EVERY = Duration.ofSeconds(15);

  /** What the steps before left is not known yet; a short step ends without a measurement. */
  private static final Duration FIRST_MEASURE_AFTER = Duration.ofSeconds(3);

  /** A long measurement is not begun again before a multiple of its own time has gone by. */
  private static final int IDLE_SHARE = 20;

  /** A program may meet the limit and go on with fewer; one that does nothing else is ended. */
  private static final long REFUSED_FOR_NANOS = Duration.ofSeconds(3).toNanos();

  private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

  private final SandboxedProcess process;
  private final Path directory;
  private final long givenBytes;
  private final BuildConfig config;
  private final Thread watching;

  /** What the build had written when it was measured last, and how much was free then. */
  private long measuredBytes;

  private long freeWhenMeasured;
  private long measuredAt = System.nanoTime() - MEASURE_EVERY.minus(FIRST_MEASURE_AFTER).toNanos();
  private long measuringNanos;

  private int looks;
  private long refusals;
  private long firstRefused;
  private long lastRefused;

  private volatile long leastFree = Long.MAX_VALUE;
  private volatile Optional<RuntimeException> breach = Optional.empty();

  /**
   * @param directory of the build, which all that it writes is below
   * @param givenBytes what was there before its first program
   */
  StepWatch(SandboxedProcess process, Path directory, long givenBytes, BuildConfig config) {
    this.process = process;
    this.directory = directory;
    this.givenBytes = givenBytes;
    this.config = config;
    this.watching = Thread.ofVirtual().name("watch of " + directory.getFileName()).start(this::run);
  }

  /**
   * @throws AppFailure if the program was ended by this, which says why
   */
  void requireNoBreach() {
    if (breach.isPresent()) {
      throw breach.get();
    }
  }

  /** Whether the disk was nearly full at any time, or is now: a short program is faster than us. */
  boolean sawFullDisk() {
    return leastFree < config.reserveBytes()
        || directory.toFile().getUsableSpace() < config.reserveBytes();
  }

  /** When this returns nothing is measured any more. */
  void end() throws InterruptedException {
    watching.interrupt();
    watching.join();
  }

  private void run() {
    try {
      FileStore disk = Files.getFileStore(directory);
      freeWhenMeasured = disk.getUsableSpace();
      leastFree = freeWhenMeasured;
      while (breach.isEmpty()) {
        Thread.sleep(LOOK_EVERY);
        breach = lookAt(disk.getUsableSpace()).or(this::lookAtProcesses);
      }
    } catch (InterruptedException ended) {
      return;
    } catch (IOException e) {
      breach = Optional.of(new UncheckedIOException("measuring " + directory + " failed", e));
    }
    process.stop(Duration.ZERO);
  }

  private Optional<RuntimeException> lookAt(long free) throws IOException, InterruptedException {
    leastFree = Math.min(leastFree, free);
    boolean suspected = measuredBytes + (freeWhenMeasured - free) > config.maxDiskBytes();
    long sinceNanos = System.nanoTime() - measuredAt;
    boolean due = sinceNanos > Math.max(MEASURE_EVERY.toNanos(), IDLE_SHARE * measuringNanos);
    if (due || ((suspected || free < config.reserveBytes()) && sinceNanos > measuringNanos)) {
      measure(free);
    }
    if (measuredBytes > config.maxDiskBytes()) {
      return Optional.of(DiskFailures.limit(config.maxDiskBytes()));
    }
    return free < config.reserveBytes() ? Optional.of(DiskFailures.full(free)) : Optional.empty();
  }

  private void measure(long free) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    measuredBytes = DiskUse.bytes(directory) - givenBytes;
    freeWhenMeasured = free;
    measuredAt = System.nanoTime();
    measuringNanos = measuredAt - begin;
  }

  private Optional<RuntimeException> lookAtProcesses() {
    if (!process.bounded()) {
      return countIsDue() && process.pids().size() > config.limits().processes()
          ? Optional.of(processLimit(config))
          : Optional.empty();
    }
    long refused = process.refusedProcesses();
    if (refused > refusals) {
      long now = System.nanoTime();
      if (refusals == 0 || now - lastRefused > PATIENCE_NANOS) {
        firstRefused = now;
      }
      refusals = refused;
      lastRefused = now;
    }
    return lastRefused - firstRefused > REFUSED_FOR_NANOS
        ? Optional.of(processLimit(config))
        : Optional.empty();
  }

  /** Where nothing bounds processes they are counted, which takes a look at all of the host. */
  private boolean countIsDue() {
    looks++;
    return looks % LOOKS_PER_COUNT == 0;
  }

  static AppFailure processLimit(BuildConfig config) {
    return new AppFailure(
        FailureCode.PROCESS_LIMIT,
        "The build started more than the %,d processes and threads that it may have at once."
            .formatted(config.limits().processes()));
  }
}
