package dev.slipway.account;

import dev.slipway.core.Secret;
import dev.slipway.core.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * With which browsers a user has signed in: each has a token that says so, for a year, or until the
 * password is changed. It opens nothing. Every call runs in the caller's transaction.
 */
final class KnownBrowsers {
  private static final Duration LIFE = Duration.ofDays(365);

  private final KnownBrowserStore store = new KnownBrowserStore();

  /** Whether the user with that e-mail address has signed in with it. */
  boolean knows(Handle tx, byte[] tokenHash, EmailAddress email, Instant now) {
    return store.exists(tx, tokenHash, email, now.minus(LIFE));
  }

  /**
   * The browser's new token, as the earlier one may be somebody else's who put it there.
   *
   * @param earlier the other users of the browser stay known there
   */
  Secret remember(Handle tx, Optional<Secret> earlier, UserId user, Instant now) {
    Secret token = RandomText.token();
    byte[] hash = RandomText.hash(token);
    earlier.map(RandomText::hash).ifPresent(old -> store.replace(tx, old, hash));
    store.put(tx, hash, user, now);
    return token;
  }

  /** The user is known nowhere any more: somebody else may have used his password. */
  void forgetAll(Handle tx, UserId user) {
    store.deleteOf(tx, user);
  }

  void forgetOld(Handle tx, Instant now) {
    store.forget(tx, now.minus(LIFE));
  }
}
