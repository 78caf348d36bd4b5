package dev.slipway.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt to deliver an event, as its page shows it.
 *
 * @param outcome the status of the answer, or that there was none
 * @param error why it failed, as a sentence
 */
public record WebhookAttempt(
    int number,
    Instant at,
    String took,
    Badge outcome,
    Optional<String> error,
    Optional<WebhookExchange> answer) {
  static WebhookAttempt of(WebhookDelivery.Attempt attempt) {
    return new WebhookAttempt(
        attempt.number(),
        attempt.at(),
        Shown.duration(Duration.ofMillis(attempt.durationMs())),
        new Badge(
            attempt.error().isPresent() ? "bad" : "ok",
            attempt.response().map(it -> Integer.toString(it.status())).orElse("No answer")),
        attempt.error().map(VisibleText::of),
        attempt.response().map(WebhookExchange::of));
  }
}
