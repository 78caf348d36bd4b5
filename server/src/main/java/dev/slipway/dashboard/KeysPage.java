package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Some of the API keys of the account: those that open something first, the newest of them first.
 *
 * @param made the one that was made just now
 * @param name as it was typed
 * @param newest where the first ones are; empty where these are they
 * @param older where the next ones are; empty where there are none
 */
public record KeysPage(
    Optional<Made> made, List<Row> keys, String name, String newest, String older) {
  /**
   * @param text is shown this once
   * @param call a command that uses it
   */
  public record Made(String name, String text, String call) {}

  /**
   * @param hint its first characters
   * @param madeBy absent where that is not known: by the operator
   */
  public record Row(
      String id,
      String name,
      String hint,
      Optional<String> madeBy,
      Instant createdAt,
      Optional<Instant> lastUsedAt,
      boolean revoked) {}
}
