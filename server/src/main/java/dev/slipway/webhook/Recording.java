package dev.slipway.webhook;

import dev.slipway.vault.Vault;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what came of attempts, and disables endpoints that take nothing any more. */
final class Recording {
  private static final Logger log = LoggerFactory.getLogger(Recording.class);

  private final WebhookStore webhooks;
  private final DeliveryStore deliveries = new DeliveryStore();
  private final SendingStore store;
  private final String worker;

  Recording(Vault vault, SendingStore store, String worker) {
    this.webhooks = new WebhookStore(vault);
    this.store = store;
    this.worker = worker;
  }

  /**
   * @param postponed of which no attempt was made
   * @param due when these are
   */
  void write(
      Handle tx, Collection<Ended> all, Collection<Sending> postponed, Instant now, Instant due) {
    webhooks.lock(
        tx,
        Stream.concat(all.stream().map(Ended::sending), postponed.stream())
            .map(it -> it.endpoint().id())
            .distinct()
            .toList());
    store.postpone(tx, postponed, worker, due);
    if (all.isEmpty()) {
      return;
    }
    for (Ended ended : store.record(tx, all, worker, now)) {
      if (ended.status() == DeliveryStatus.FAILED) {
        webhooks
            .find(tx, ended.sending().endpoint().id())
            .filter(Webhook::enabled)
            .ifPresent(enabled ->
                reason(tx, ended, enabled).ifPresent(reason -> disable(tx, enabled, reason, now)));
      }
    }
  }

  /** Why nothing is to be sent to the endpoint any more. */
  private Optional<String> reason(Handle tx, Ended ended, Webhook webhook) {
    if (ended.isGone()) {
      // What another URL says of itself, which this was meanwhile mended from, is of no concern.
      return ended.sending().url().equals(webhook.url())
          ? Optional.of("It answered 410: nothing shall be sent to it any more.")
          : Optional.empty();
    }
    return store.hasTaken(tx, webhook.id(), ended.sending().madeAt())
        ? Optional.empty()
        : Optional.of(
            "An event was sent to it %d times over three days, and nothing got through meanwhile."
                .formatted(Retries.ATTEMPTS));
  }

  private void disable(Handle tx, Webhook webhook, String reason, Instant now) {
    webhooks.update(tx, webhook.disabled(Optional.of(reason), now));
    Clearing.begin(tx, webhooks, deliveries, webhook.id(), now);
    log.info("webhook={} is disabled: {}", webhook.id(), reason);
  }
}
