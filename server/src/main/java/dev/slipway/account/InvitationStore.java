package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.InvitationId;
import dev.slipway.core.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of invitations. Every call runs in the caller's transaction. */
final class InvitationStore {
  private static final String COLUMNS =
      """
      i.id, i.account_id, i.email, i.role, u.email AS invited_by, i.created_at, i.expires_at
      """;

  private static final String INSERT =
      """
      INSERT INTO invitation (id, account_id, email, role, hash, invited_by, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SELECT =
      "SELECT %s FROM invitation i JOIN app_user u ON u.id = i.invited_by ".formatted(COLUMNS);

  private static final String TAKE =
      """
      DELETE FROM invitation i USING app_user u
       WHERE u.id = i.invited_by AND i.hash = ? AND i.expires_at > ?
      RETURNING %s
      """
          .formatted(COLUMNS);

  private static final String DELETE = "DELETE FROM invitation WHERE id = ?";

  private static final String DELETE_EARLIER =
      "DELETE FROM invitation WHERE account_id = ? AND lower(email) = lower(?)";

  private static final String DELETE_OF = "DELETE FROM invitation WHERE invited_by = ?";

  private static final String FORGET = "DELETE FROM invitation WHERE expires_at <= ?";

  /** In place of an earlier one for the same address. */
  void put(Handle tx, Invitation invitation, UserId invitedBy, byte[] tokenHash) {
    tx.execute(DELETE_EARLIER, invitation.accountId().value(), invitation.email());
    tx.execute(
        INSERT,
        invitation.id().value(),
        invitation.accountId().value(),
        invitation.email(),
        invitation.role().name(),
        tokenHash,
        invitedBy.value(),
        invitation.createdAt(),
        invitation.expiresAt());
  }

  /** Those that can be accepted, oldest first. */
  List<Invitation> pending(Handle tx, AccountId account, Instant now) {
    return tx.createQuery(
            SELECT + "WHERE i.account_id = ? AND i.expires_at > ? ORDER BY i.id COLLATE \"C\"")
        .bind(0, account.value())
        .bind(1, now)
        .mapTo(Invitation.class)
        .list();
  }

  Optional<Invitation> find(Handle tx, InvitationId id) {
    return tx.createQuery(SELECT + "WHERE i.id = ?")
        .bind(0, id.value())
        .mapTo(Invitation.class)
        .findOne();
  }

  /** The one that can be accepted with that token. */
  Optional<Invitation> find(Handle tx, byte[] tokenHash, Instant now) {
    return tx.createQuery(SELECT + "WHERE i.hash = ? AND i.expires_at > ?")
        .bind(0, tokenHash)
        .bind(1, now)
        .mapTo(Invitation.class)
        .findOne();
  }

  /** The same, which cannot be accepted again. */
  Optional<Invitation> take(Handle tx, byte[] tokenHash, Instant now) {
    return tx.createQuery(TAKE).bind(0, tokenHash).bind(1, now).mapTo(Invitation.class).findOne();
  }

  /** False where it is gone. */
  boolean delete(Handle tx, InvitationId id) {
    return tx.execute(DELETE, id.value()) > 0;
  }

  /** All that the user made. */
  void deleteOf(Handle tx, UserId invitedBy) {
    tx.execute(DELETE_OF, invitedBy.value());
  }

  void forget(Handle tx, Instant now) {
    tx.execute(FORGET, now);
  }
}
