package dev.slipway.account;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Rows of wrong guesses, by whom and of whom. Every call runs in the caller's transaction. */
final class GuessStore {
  // An update that changes nothing locks the row, whether it is new or not.
  private static final String LOCK =
      """
      INSERT INTO sign_in_failure AS f (subject, forgotten_at, free_at) VALUES (?, ?, ?)
          ON CONFLICT (subject) DO UPDATE SET free_at = f.free_at
      RETURNING forgotten_at, free_at
      """;

  private static final String SET =
      "UPDATE sign_in_failure SET forgotten_at = ?, free_at = ? WHERE subject = ?";

  private static final String CLEAR = "DELETE FROM sign_in_failure WHERE subject = ?";

  private static final String FORGET = "DELETE FROM sign_in_failure WHERE forgotten_at <= ?";

  /** What was counted, all other guesses held up until the transaction ends. */
  Tally lock(Handle tx, String subject, Instant now) {
    return tx.createQuery(LOCK).bind(0, subject).bind(1, now).bind(2, now).mapTo(Tally.class).one();
  }

  void set(Handle tx, String subject, Tally tally) {
    tx.execute(SET, tally.forgottenAt(), tally.freeAt(), subject);
  }

  void clear(Handle tx, String subject) {
    tx.execute(CLEAR, subject);
  }

  void forget(Handle tx, Instant now) {
    tx.execute(FORGET, now);
  }
}
