package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An event for an endpoint as the API tells of it.
 *
 * @param status {@code pending}, {@code delivered} or {@code failed}
 * @param nextAttemptAt absent while it is being sent, or waits for an earlier event
 * @param error why it failed, as a sentence
 * @param request of the last attempt; in the single read alone, as are the attempts
 * @param attempts in their order
 */
public record WebhookDelivery(
    String id,
    String eventId,
    String eventType,
    String resourceId,
    String status,
    int attemptCount,
    Optional<Instant> nextAttemptAt,
    Optional<String> error,
    Instant createdAt,
    Optional<Instant> completedAt,
    Optional<Request> request,
    Optional<List<Attempt>> attempts) {

  /**
   * @param headers none before the first attempt
   */
  public record Request(Map<String, String> headers, String body) {}

  /**
   * One request and what came of it.
   *
   * @param error why it failed, as a sentence
   */
  public record Attempt(
      int number,
      Instant at,
      long durationMs,
      Optional<Response> response,
      Optional<String> error) {}

  /**
   * What the endpoint answered, whoever that is.
   *
   * @param body its beginning
   */
  public record Response(int status, Map<String, String> headers, String body) {}

  static String path(String webhook, String id) {
    return "%s/deliveries/%s".formatted(WebhookFacts.path(webhook), id);
  }

  static Badge state(String status, int attemptCount) {
    return status.equals("pending") && attemptCount > 0
        ? new Badge("warn", "Retrying")
        : Badge.of(status);
  }

  public Badge state() {
    return state(status, attemptCount);
  }

  public boolean isPending() {
    return completedAt.isEmpty();
  }

  /** The page of what the event happened to; empty where its id does not tell. */
  public String resourceLink() {
    return ResourceLink.of(resourceId);
  }
}
