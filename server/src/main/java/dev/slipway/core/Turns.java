package dev.slipway.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Few places, of which one account has at most half: whoever asks for many waits for its own, and
 * holds up nobody else. Thread-safe.
 */
public final class Turns {
  private final Semaphore places;
  private final int perAccount;
  private final Map<AccountId, Own> accounts = new HashMap<>();

  /** An account's places, kept for as long as it has or waits for one. */
  private static final class Own {
    final Semaphore places;
    int users;

    Own(int places) {
      this.places = new Semaphore(places, true);
    }
  }

  public Turns(int places) {
    this.places = new Semaphore(places, true);
    this.perAccount = Math.max(1, places / 2);
  }

  /** A place, until it is closed. */
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** Blocks until there is one; those who came first go first. */
  public Turn take(AccountId account) throws InterruptedException {
    Own own = join(account);
    try {
      own.places.acquire();
      try {
        places.acquire();
      } catch (InterruptedException e) {
        own.places.release();
        throw e;
      }
    } catch (InterruptedException e) {
      leave(account, own);
      throw e;
    }
    return turn(account, own);
  }

  /** A place, if there is one now. */
  public Optional<Turn> tryTake(AccountId account) {
    Own own = join(account);
    if (own.places.tryAcquire()) {
      if (places.tryAcquire()) {
        return Optional.of(turn(account, own));
      }
      own.places.release();
    }
    leave(account, own);
    return Optional.empty();
  }

  private Turn turn(AccountId account, Own own) {
    return () -> {
      places.release();
      own.places.release();
      leave(account, own);
    };
  }

  private synchronized Own join(AccountId account) {
    Own own = accounts.computeIfAbsent(account, _ -> new Own(perAccount));
    own.users++;
    return own;
  }

  private synchronized void leave(AccountId account, Own own) {
    own.users--;
    if (own.users == 0) {
      accounts.remove(account);
    }
  }
}
