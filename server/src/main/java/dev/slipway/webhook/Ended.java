package dev.slipway.webhook;

import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that is over, and what becomes of its delivery.
 *
 * @param next when it is sent again; present where it stays pending
 */
record Ended(Sending sending, Attempt attempt, DeliveryStatus status, Optional<Instant> next) {
  private static final int GONE = 410;

  static Ended of(Sending sending, Attempt attempt, Instant now) {
    if (attempt.error().isEmpty()) {
      return new Ended(sending, attempt, DeliveryStatus.DELIVERED, Optional.empty());
    }
    Optional<Instant> next =
        isGone(attempt) ? Optional.empty() : Retries.next(attempt.number(), attempt.answer(), now);
    return new Ended(
        sending, attempt, next.isPresent() ? DeliveryStatus.PENDING : DeliveryStatus.FAILED, next);
  }

  /** Whether the endpoint says that nothing shall ever be sent to it again. */
  boolean isGone() {
    return isGone(attempt);
  }

  /** Why the delivery has failed. */
  Optional<String> failure() {
    return status == DeliveryStatus.FAILED ? attempt.error() : Optional.empty();
  }

  private static boolean isGone(Attempt attempt) {
    return attempt.answer().filter(answer -> answer.status() == GONE).isPresent();
  }
}
