package dev.slipway.account;

import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.util.Optional;

/** Tells whether a password is right, and makes guessing it hopeless. Thread-safe. */
final class PasswordCheck {
  private final PasswordGate gate;
  private final Guesses guesses;

  PasswordCheck(Database database, PasswordGate gate, Clock clock) {
    this.gate = gate;
    this.guesses = new Guesses(database, clock);
  }

  /**
   * Blocks, for a tenth of a second at least; never called inside a transaction.
   *
   * @param login absent where nobody has the e-mail address: the answer is no, after the same work
   * @throws RequestException {@code RATE_LIMITED} after too many wrong ones, {@code UNAVAILABLE}
   *     where too many others ask
   */
  boolean isRight(Guesser by, Optional<Login> login, Secret given) {
    Guesses.Guess guess = guesses.count(by);
    boolean right;
    try {
      right = gate.matches(given, login.map(Login::passwordHash));
    } catch (RequestException | TransientException notLookedAt) {
      guesses.takeBack(guess);
      throw notLookedAt;
    }
    if (right) {
      guesses.right(guess);
    }
    return right;
  }

  void forgetOld() {
    guesses.forgetOld();
  }
}
