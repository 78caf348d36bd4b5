package dev.slipway.edge;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What is under way at one instance. Every request enters before its first byte goes there; once
 * the gate is closed nothing enters any more. Thread-safe.
 */
final class Gate {
  /**
   * How long a closed gate is remembered after its instance has left the routes. A request may
   * still hold an answer of the {@link Waker} that names the instance, for moments only.
   */
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final Set<Claim> claims = new HashSet<>();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private boolean closed;
  private boolean forGood;
  private long closedAtNanos;
  // Written under the lock; read without it where a guess is enough.
  private volatile int inFlight;
  private volatile long lastUsedNanos = System.nanoTime();
  private volatile long lastEnteredNanos = System.nanoTime();
  private volatile boolean answered;
  private volatile long lastAnsweredNanos;
  private final Ejection ejection = new Ejection();

  /** Empty where the gate is closed. */
  synchronized Optional<Claim> enter(Runnable abort) {
    if (closed) {
      return Optional.empty();
    }
    Claim claim = new Claim(this, abort);
    claims.add(claim);
    inFlight = claims.size();
    lastUsedNanos = System.nanoTime();
    lastEnteredNanos = lastUsedNanos;
    return Optional.of(claim);
  }

  void leave(Claim claim) {
    boolean last;
    synchronized (this) {
      last = claims.remove(claim) && claims.isEmpty() && closed;
      inFlight = claims.size();
      lastUsedNanos = System.nanoTime();
    }
    if (last) {
      drained.complete(null);
    }
  }

  /** Lets nothing enter any more, if nothing is under way and nothing was for so long. */
  synchronized boolean closeIdle(Duration atLeast) {
    if (!closed && (!claims.isEmpty() || idle().compareTo(atLeast) < 0)) {
      return false;
    }
    closed = true;
    closedAtNanos = System.nanoTime();
    return true;
  }

  /** Takes {@link #closeIdle} back, but never {@link #close}. */
  synchronized void reopen() {
    closed = forGood;
  }

  /** Completes once nothing is under way; from then on nothing ever is. */
  CompletableFuture<Void> close() {
    boolean empty;
    synchronized (this) {
      if (!closed) {
        closed = true;
        closedAtNanos = System.nanoTime();
      }
      forGood = true;
      empty = claims.isEmpty();
    }
    if (empty) {
      drained.complete(null);
    }
    return drained;
  }

  /**
   * Whether this gate may be forgotten. If so it is closed, so that whoever found it a moment ago
   * does not enter unseen.
   */
  synchronized boolean retire() {
    if (!claims.isEmpty()) {
      return false;
    }
    if (closed) {
      return System.nanoTime() - closedAtNanos > REMEMBERED.toNanos();
    }
    closed = true;
    return true;
  }

  void abortAll() {
    List<Claim> rest;
    synchronized (this) {
      rest = List.copyOf(claims);
    }
    rest.forEach(Claim::abort);
  }

  int inFlight() {
    return inFlight;
  }

  /** Since the last request came. */
  long unenteredNanos() {
    return System.nanoTime() - lastEnteredNanos;
  }

  /** An answer has begun. */
  void answered() {
    lastAnsweredNanos = System.nanoTime();
    answered = true;
  }

  boolean answeredSince(long nanos) {
    return answered && lastAnsweredNanos - nanos > 0;
  }

  Ejection ejection() {
    return ejection;
  }

  /** Since the last request ended; nothing while one is under way. */
  Duration idle() {
    return inFlight > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastUsedNanos);
  }
}
