package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets few passwords be hashed at once: each takes 19 MiB and all of a core. Others wait, but not
 * for long. Never called inside a transaction. Thread-safe.
 *
 * <p>Hashing has threads of its own. On a virtual one it would keep the carrier until it is done,
 * and with a few of them no other request would move.
 */
public final class PasswordGate {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Executor threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("password-", 0).factory());
  private final Semaphore places;
  private final Duration patience;

  PasswordGate(int places, Duration patience) {
    this.places = new Semaphore(places, true);
    this.patience = patience;
  }

  /** As many at once as half of the cores can do. */
  public static PasswordGate forCores() {
    return new PasswordGate(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), PATIENCE);
  }

  /**
   * @throws RequestException {@code UNAVAILABLE} where too many others are there
   */
  String hash(Secret password) {
    return within(() -> Passwords.hash(password));
  }

  /**
   * Whether that is the password. Where there is no hash it is not, after the same work.
   *
   * @throws RequestException {@code UNAVAILABLE} where too many others are there
   */
  boolean matches(Secret given, Optional<String> hash) {
    boolean same = within(() -> Passwords.matches(given, hash.orElse(Passwords.NOBODYS_HASH)));
    return same && hash.isPresent();
  }

  /** Does the work on a thread of the gate, and waits for it. */
  <T> T within(Supplier<T> work) {
    try {
      if (!places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new RequestException(
            ErrorCode.UNAVAILABLE,
            "Too many people are signing in at this moment; try again in a few seconds.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientException("interrupted while others signed in", e);
    }
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                return work.get();
              } finally {
                places.release();
              }
            },
            threads)
        .join();
  }
}
