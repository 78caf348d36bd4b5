package dev.slipway.webhook;

import dev.slipway.core.DeliveryId;
import dev.slipway.core.EventId;
import dev.slipway.core.Secret;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * A delivery that was taken to be sent, with all that this needs.
 *
 * @param resource what its event happened to
 * @param number of this attempt, from 1
 * @param madeAt when the delivery was
 * @param secrets that are valid now, the current one first; opened when they are asked for
 */
record Sending(
    DeliveryId id,
    Endpoint endpoint,
    EventId event,
    String resource,
    int number,
    Instant madeAt,
    String url,
    Supplier<List<Secret>> secrets,
    String body) {
  boolean isFirst() {
    return number == 1;
  }
}
