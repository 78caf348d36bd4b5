package dev.slipway.account;

import com.password4j.Argon2Function;
import com.password4j.Password;
import com.password4j.types.Argon2;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import java.util.Base64;

/** How passwords are kept. */
final class Passwords {
  /** The OWASP cheat sheet's parameters: 19 MiB, 2 passes, 1 lane. */
  private static final int MEMORY_KIB = 19 * 1024;

  private static final int PASSES = 2;
  private static final int LANES = 1;
  private static final int HASH_BYTES = 32;
  private static final int SALT_BYTES = 64;

  private static final Argon2Function ARGON2ID =
      Argon2Function.getInstance(MEMORY_KIB, PASSES, LANES, HASH_BYTES, Argon2.ID);

  /** In the form of a hash that was made here, but of no password that anybody knows. */
  static final String NOBODYS_HASH =
      "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
          .formatted(MEMORY_KIB, PASSES, LANES, zeros(SALT_BYTES), zeros(HASH_BYTES));

  private static final int MIN_LENGTH = 8;

  /** Hashing a book would cost the memory and time of one. */
  private static final int MAX_LENGTH = 1024;

  private Passwords() {}

  /** A tenth of a second of work, and 19 MiB: never inside a transaction. */
  static String hash(Secret password) {
    return Password.hash(password.reveal()).addRandomSalt(SALT_BYTES).with(ARGON2ID).getResult();
  }

  /** As much work as {@link #hash}. */
  static boolean matches(Secret given, String hash) {
    return given.reveal().length() <= MAX_LENGTH
        && Password.check(given.reveal(), hash).with(Argon2Function.getInstanceFromHash(hash));
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

  private static String zeros(int bytes) {
    return Base64.getEncoder().withoutPadding().encodeToString(new byte[bytes]);
  }
}
