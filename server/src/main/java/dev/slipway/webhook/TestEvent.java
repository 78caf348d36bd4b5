package dev.slipway.webhook;

import dev.slipway.core.WebhookId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** What an endpoint is tried with: nothing has happened, and nobody else hears of it. */
record TestEvent(WebhookId webhook, Instant at) {
  static final String TYPE = "webhook.test";

  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** As events are sent, without a sequence: it is one of a kind. */
  String body() {
    return """
    {"type":"%s","timestamp":"%s","data":{"webhook_id":"%s"}}\
    """
        .formatted(TYPE, TIMESTAMP.format(at), webhook);
  }
}
