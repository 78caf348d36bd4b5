package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Rows that say who looked at what was secret. Every call runs in the caller's transaction. */
public final class AuditStore {
  private static final String WRITE =
      """
      INSERT INTO audit (account_id, api_key_id, action, subject, at)
      SELECT account_id, id, ?, ?, ? FROM api_key WHERE hash = ? AND revoked_at IS NULL
      """;

  /**
   * @param key whose holder did it
   * @param action such as {@code env_vars.reveal}
   * @param subject the id of what it was done to
   * @throws RequestException {@code UNAUTHORIZED} where the key was revoked a moment ago
   */
  public void write(Handle tx, Secret key, String action, String subject, Instant now) {
    if (tx.execute(WRITE, action, subject, now, ApiKeyText.hash(key)) != 1) {
      throw new RequestException(ErrorCode.UNAUTHORIZED, "The API key is unknown or revoked.");
    }
  }
}
