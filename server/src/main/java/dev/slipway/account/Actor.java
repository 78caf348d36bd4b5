package dev.slipway.account;

import dev.slipway.core.Secret;

/** Who does something. */
public sealed interface Actor {
  /** Whoever holds an API key. */
  record Key(Secret key) implements Actor {}

  /** Somebody who is signed in. */
  record User(SignedIn who) implements Actor {}
}
