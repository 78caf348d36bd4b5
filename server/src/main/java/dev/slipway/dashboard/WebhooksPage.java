package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The account's webhooks, newest first.
 *
 * @param made the secret of the one that was made just now
 * @param fields to make one
 */
public record WebhooksPage(Optional<WebhookSecret> made, List<Row> rows, WebhookFields fields) {
  public WebhooksPage {
    rows = List.copyOf(rows);
  }

  /**
   * @param last the newest delivery to it
   */
  public record Row(WebhookFacts webhook, Optional<Last> last) {}

  /** What became of an event, in few words. */
  public record Last(String path, Badge state, Instant at) {}
}
