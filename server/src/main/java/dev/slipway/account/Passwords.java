package dev.slipway.account;

import com.password4j.Argon2Function;
import com.password4j.Password;
import com.password4j.types.Argon2;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;

/** How passwords are kept. */
final class Passwords {
  /** Argon2id with the OWASP cheat sheet's parameters: 19 MiB, 2 passes, 1 lane. */
  private static final Argon2Function ARGON2ID =
      Argon2Function.getInstance(19 * 1024, 2, 1, 32, Argon2.ID);

  private static final int MIN_LENGTH = 8;

  /** Hashing a book would cost the memory and time of one. */
  private static final int MAX_LENGTH = 1024;

  private Passwords() {}

  /** A tenth of a second of work, and 19 MiB: never inside a transaction. */
  static String hash(Secret password) {
    return Password.hash(password.reveal()).with(ARGON2ID).getResult();
  }

  /** What a person chose is refused where it is too short to keep anybody out. */
  static void check(Secret chosen) {
    int length = chosen.reveal().length();
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "The password has %d characters; it must have %d to %d."
              .formatted(length, MIN_LENGTH, MAX_LENGTH));
    }
  }
}
