package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;

/**
 * The user's own page.
 *
 * @param name as it is, or was typed
 * @param account its id
 * @param moreSessions how many there are beside those that are listed
 */
public record ProfilePage(
    String name,
    String email,
    String role,
    String account,
    List<SessionRow> sessions,
    int moreSessions) {
  /**
   * @param browser untrusted text
   * @param own whether this page was asked for in it
   */
  public record SessionRow(
      String id,
      String browser,
      String address,
      Instant createdAt,
      Instant lastSeenAt,
      boolean own) {}
}
