package dev.slipway.dashboard;

import java.util.Optional;

/**
 * Where somebody becomes a user.
 *
 * @param offer absent where the link opens nothing any more
 */
public record InvitationPage(Optional<Offer> offer) {
  /**
   * @param role with its article, within a sentence
   * @param name as it was typed
   * @param problem why it did not work
   */
  public record Offer(
      String token,
      String email,
      String role,
      String invitedBy,
      String name,
      Optional<String> problem) {}
}
