package dev.slipway.build;

import dev.slipway.core.AccountId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Few places, of which one account has at most half: whoever asks for many waits for its own, and
 * holds up nobody else. Thread-safe.
 */
final class Turns {
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

  Turns(int places) {
    this.places = new Semaphore(places, true);
    this.perAccount = Math.max(1, places / 2);
  }

  /** A place, until it is closed. */
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** Blocks until there is one; those who came first go first. */
  Turn take(AccountId account) throws InterruptedException {
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
