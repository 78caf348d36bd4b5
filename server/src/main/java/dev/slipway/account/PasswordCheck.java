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
   * Whether that is the password of a user who is signed in: guesses count by session, as whoever
   * took one over may come from many addresses.
   *
   * @throws RequestException as the other
   */
  boolean isRight(SignedIn who, Login login, Secret given) {
    return isRight(new EmailAddress(who.email()), who.session().value(), Optional.of(login), given);
  }

  /**
   * Blocks, for a tenth of a second at least; never called inside a transaction.
   *
   * @param address of the client
   * @param login absent where nobody has the e-mail address: the answer is no, after the same work
   * @throws RequestException {@code RATE_LIMITED} after too many wrong ones, {@code UNAVAILABLE}
   *     where too many others ask
   */
  boolean isRight(EmailAddress email, String address, Optional<Login> login, Secret given) {
    Guesses.Guess guess = guesses.count(email, address);
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
