package dev.slipway.webhook;

import dev.slipway.core.WebhookId;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.vault.Vault;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what waits for endpoints that were disabled, and deletes what is kept of those that were
 * deleted. Little of it in the transaction that does so; the rest afterwards, in batches: whoever
 * makes deliveries waits for the row of the endpoint, and with it the events of all accounts.
 */
public final class Clearing implements Job {
  static final int AT_ONCE = 1_000;
  private static final Logger log = LoggerFactory.getLogger(Clearing.class);
  private static final Kind KIND = new Kind("webhook-clearing", Queue.CHORES);
  private static final Duration AGAIN = Duration.ofMinutes(5);

  private final Database database;
  private final WebhookStore webhooks;
  private final DeliveryStore deliveries = new DeliveryStore();
  private final Clock clock;

  public Clearing(Database database, Vault vault, Clock clock) {
    this.database = database;
    this.webhooks = new WebhookStore(vault);
    this.clock = clock;
  }

  /** Of an endpoint that was disabled or deleted in this transaction, which has its row. */
  static void begin(
      Handle tx, WebhookStore webhooks, DeliveryStore deliveries, WebhookId id, Instant now) {
    if (step(tx, webhooks, deliveries, id, now)) {
      // A subject of its own each time: one that is running may have looked before this commit.
      Jobs.schedule(tx, KIND, id.value() + " " + now, now);
    }
  }

  /**
   * One batch.
   *
   * @return whether there may be more
   */
  private static boolean step(
      Handle tx, WebhookStore webhooks, DeliveryStore deliveries, WebhookId id, Instant now) {
    return webhooks
        .lockDeleted(tx, id)
        .map(deleted -> {
          boolean more =
              AT_ONCE
                  == (deleted
                      ? deliveries.delete(tx, id, AT_ONCE)
                      : deliveries.failOutdated(tx, id, now, AT_ONCE));
          if (deleted && !more) {
            webhooks.delete(tx, id);
          }
          return more;
        })
        .orElse(false);
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    WebhookId id = webhook(subjectId);
    while (database.inTransaction(tx -> step(tx, webhooks, deliveries, id, clock.instant()))) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the rest is cleared after the next start");
      }
    }
    return Outcome.DONE;
  }

  /** What is left is not lost: it is asked for anew. */
  @Override
  public void giveUp(String subjectId, Throwable cause) {
    WebhookId id = webhook(subjectId);
    log.warn("webhook={} is cleared later", id);
    Instant later = clock.instant().plus(AGAIN);
    database.useTransaction(tx -> Jobs.schedule(tx, KIND, id.value() + " " + later, later));
  }

  private static WebhookId webhook(String subjectId) {
    return new WebhookId(subjectId.substring(0, subjectId.indexOf(' ')));
  }
}
