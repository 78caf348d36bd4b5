package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who may sign in to the account.
 *
 * @param link to an invitation that was made just now
 * @param invitations those that can be accepted
 * @param roles to choose from
 * @param email as it was typed
 * @param role as it was chosen
 */
public record UsersPage(
    Optional<Link> link,
    List<Row> users,
    List<Pending> invitations,
    List<Option> roles,
    String email,
    String role) {
  /**
   * @param address is shown this once
   */
  public record Link(String email, String address) {}

  /**
   * @param name what he calls himself, else his address
   * @param role as forms write it
   * @param lastSeenAt absent where he is not signed in
   * @param administers whether he is an owner
   * @param own whether it is the one who looks
   * @param keys the names of those that he made and that still work; empty for who may not see them
   */
  public record Row(
      String id,
      String name,
      String email,
      String role,
      String roleShown,
      boolean administers,
      Optional<Instant> lastSeenAt,
      boolean own,
      List<String> keys) {}

  /** An invitation. */
  public record Pending(
      String id,
      String email,
      String role,
      String invitedBy,
      Instant createdAt,
      Instant expiresAt) {}
}
