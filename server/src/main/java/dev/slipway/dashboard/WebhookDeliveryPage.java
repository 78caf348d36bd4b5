package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * A delivery with all that went over the wire.
 *
 * @param request as it was sent last, or will be sent
 * @param attempts the newest first
 */
public record WebhookDeliveryPage(
    WebhookFacts webhook,
    WebhookDelivery delivery,
    Optional<WebhookExchange> request,
    List<WebhookAttempt> attempts) {
  public WebhookDeliveryPage {
    attempts = List.copyOf(attempts);
  }

  /** Changes whenever this would be shown otherwise. */
  public String shape() {
    return "%s-%d".formatted(delivery.status(), attempts.size());
  }

  /** Where it is asked for anew. */
  public String poll() {
    return "%s/state?seen=%s".formatted(path(), shape());
  }

  public String path() {
    return WebhookDelivery.path(webhook.id(), delivery.id());
  }
}
