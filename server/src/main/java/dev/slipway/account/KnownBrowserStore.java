package dev.slipway.account;

import dev.slipway.core.UserId;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Rows of browsers and who signed in with them. Every call runs in the caller's transaction. */
final class KnownBrowserStore {
  private static final String EXISTS =
      """
      SELECT EXISTS (
        SELECT FROM known_browser b JOIN app_user u ON u.id = b.user_id
         WHERE b.hash = ? AND lower(u.email) = lower(?) AND b.last_used_at > ?)
      """;

  private static final String REPLACE = "UPDATE known_browser SET hash = ? WHERE hash = ?";

  private static final String PUT =
      """
      INSERT INTO known_browser (hash, user_id, last_used_at) VALUES (?, ?, ?)
          ON CONFLICT (hash, user_id) DO UPDATE SET last_used_at = EXCLUDED.last_used_at
      """;

  private static final String DELETE_OF = "DELETE FROM known_browser WHERE user_id = ?";

  private static final String FORGET = "DELETE FROM known_browser WHERE last_used_at <= ?";

  boolean exists(Handle tx, byte[] hash, EmailAddress email, Instant usedAfter) {
    return tx.createQuery(EXISTS)
        .bind(0, hash)
        .bind(1, email.value())
        .bind(2, usedAfter)
        .mapTo(Boolean.class)
        .one();
  }

  /** For all of its users. */
  void replace(Handle tx, byte[] old, byte[] hash) {
    tx.execute(REPLACE, hash, old);
  }

  void put(Handle tx, byte[] hash, UserId user, Instant now) {
    tx.execute(PUT, hash, user.value(), now);
  }

  void deleteOf(Handle tx, UserId user) {
    tx.execute(DELETE_OF, user.value());
  }

  void forget(Handle tx, Instant before) {
    tx.execute(FORGET, before);
  }
}
