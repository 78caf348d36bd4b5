package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeliveryId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.EventId;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.WebhookId;
import dev.slipway.db.Database;
import dev.slipway.event.EventType;
import dev.slipway.vault.Vault;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * What a client can ask of webhooks. Who asks for one that is there but another account's gets
 * {@code FORBIDDEN}, for one that is not there {@code NOT_FOUND}. Thread-safe.
 */
public final class WebhookService {
  /** How long a secret that was replaced signs as well. */
  public static final Duration FORMER_SECRET_FOR = Duration.ofHours(24);

  private static final int MOST_PER_ACCOUNT = 50;
  private static final int DELETED_AT_ONCE = 5_000;
  private static final Duration KEPT = Duration.ofDays(30);

  private final Database database;
  private final WebhookStore store;
  private final DeliveryStore deliveries = new DeliveryStore();
  private final boolean allowPrivateTargets;
  private final Clock clock;

  /**
   * @param allowPrivateTargets whether endpoints may be in the networks of this server
   */
  public WebhookService(Database database, Vault vault, boolean allowPrivateTargets, Clock clock) {
    this.database = database;
    this.store = new WebhookStore(vault);
    this.allowPrivateTargets = allowPrivateTargets;
    this.clock = clock;
  }

  /** One whose secret is shown this once. */
  public record Revealed(Webhook webhook, Secret secret) {}

  /** What of an endpoint shall be otherwise. */
  public record Change(
      Optional<String> url, Optional<List<EventType>> events, Optional<Boolean> enabled) {}

  /**
   * A delivery with all that is kept of it.
   *
   * @param body as it is sent
   */
  public record Kept(Delivery delivery, String body, List<Attempt> attempts) {}

  /** Why something cannot be the URL of an endpoint here; completes a sentence. */
  public Optional<String> fault(String url) {
    return EndpointUrl.fault(url, allowPrivateTargets);
  }

  /**
   * @param url one without a {@link #fault}
   * @param events none means all
   * @throws RequestException {@code CONFLICT} where the account has as many as it may
   */
  public Revealed create(AccountId account, String url, List<EventType> events) {
    return database.inTransaction(tx -> {
      if (store.lockAndCount(tx, account) >= MOST_PER_ACCOUNT) {
        throw new RequestException(
            ErrorCode.CONFLICT,
            "The account has %d webhooks, as many as it may: delete one first."
                .formatted(MOST_PER_ACCOUNT));
      }
      Instant now = now();
      Webhook made =
          new Webhook(WebhookId.next(), account, url, events, true, Optional.empty(), now, now);
      Secret secret = Signatures.newSecret();
      store.insert(tx, made, secret);
      return new Revealed(made, secret);
    });
  }

  public Webhook get(AccountId account, WebhookId id) {
    return database.read(tx -> own(store.find(tx, id), account, id));
  }

  /** At most {@code limit}, newest first, those before {@code before}. */
  public List<Webhook> list(AccountId account, Optional<WebhookId> before, int limit) {
    return database.read(tx -> store.list(tx, account, before, limit));
  }

  /** What waits for one that is disabled by it fails; events that come later are not sent to it. */
  public Webhook update(AccountId account, WebhookId id, Change change) {
    return database.inTransaction(tx -> {
      Webhook before = lock(tx, account, id);
      boolean enabled = change.enabled().orElse(before.enabled());
      Webhook after =
          new Webhook(
              id,
              account,
              change.url().orElse(before.url()),
              change.events().orElse(before.events()),
              enabled,
              enabled ? Optional.empty() : before.disabledReason(),
              before.createdAt(),
              now());
      store.update(tx, after);
      if (before.enabled() && !enabled) {
        Clearing.begin(tx, store, deliveries, id, now());
      }
      return after;
    });
  }

  /** With all its deliveries. */
  public void delete(AccountId account, WebhookId id) {
    database.useTransaction(tx -> {
      var _ = lock(tx, account, id);
      Instant now = now();
      store.markDeleted(tx, id, now);
      Clearing.begin(tx, store, deliveries, id, now);
    });
  }

  /** Gives it another secret; the one before signs as well for {@link #FORMER_SECRET_FOR}. */
  public Revealed rotateSecret(AccountId account, WebhookId id) {
    return database.inTransaction(tx -> {
      var _ = lock(tx, account, id);
      Secret secret = Signatures.newSecret();
      Instant now = now();
      store.rotate(tx, id, secret, now.plus(FORMER_SECRET_FOR), now);
      return new Revealed(own(store.find(tx, id), account, id), secret);
    });
  }

  /**
   * Sends an event of the type {@code webhook.test} to it alone.
   *
   * @throws RequestException {@code CONFLICT} where it is disabled
   */
  public Delivery test(AccountId account, WebhookId id) {
    return database.inTransaction(tx -> {
      requireEnabled(lock(tx, account, id));
      Instant now = now();
      TestEvent event = new TestEvent(id, now);
      return sent(
          tx,
          account,
          Delivery.made(id, EventId.next(), TestEvent.TYPE, id.value(), now),
          event.body());
    });
  }

  /**
   * Sends the event of a delivery once more, whatever has become of that.
   *
   * @throws RequestException {@code CONFLICT} where the endpoint is disabled
   */
  public Delivery redeliver(AccountId account, WebhookId id, DeliveryId delivery) {
    return database.inTransaction(tx -> {
      requireEnabled(lock(tx, account, id));
      Delivery before = find(tx, id, delivery);
      return sent(
          tx,
          account,
          Delivery.made(id, before.eventId(), before.eventType(), before.resource(), now()),
          deliveries.body(tx, before.eventId()));
    });
  }

  /** The newest delivery of each of the account's endpoints that has any. */
  public Map<WebhookId, Delivery> newest(AccountId account) {
    return database.read(tx -> deliveries.newest(tx, account)).stream()
        .collect(Collectors.toUnmodifiableMap(Delivery::webhookId, delivery -> delivery));
  }

  /** At most {@code limit}, newest first, those before {@code before}; of one status, or all. */
  public List<Delivery> deliveries(
      AccountId account,
      WebhookId id,
      Optional<DeliveryStatus> status,
      Optional<DeliveryId> before,
      int limit) {
    return database.read(tx -> {
      var _ = own(store.find(tx, id), account, id);
      return deliveries.list(tx, id, status, before, limit);
    });
  }

  public Kept delivery(AccountId account, WebhookId id, DeliveryId delivery) {
    return database.read(tx -> {
      var _ = own(store.find(tx, id), account, id);
      Delivery found = find(tx, id, delivery);
      return new Kept(
          found, deliveries.body(tx, found.eventId()), deliveries.attempts(tx, found.id()));
    });
  }

  /** Deletes what has ended and is older than 30 days. */
  public void forgetOld() {
    Instant before = clock.instant().minus(KEPT);
    inBatches(tx -> deliveries.forget(tx, before, DELETED_AT_ONCE));
    inBatches(tx -> deliveries.forgetMessages(tx, before, DELETED_AT_ONCE));
  }

  private void inBatches(Function<Handle, Integer> batch) {
    while (database.inTransaction(batch) == DELETED_AT_ONCE) {
      // The next ones, in a transaction of their own.
    }
  }

  private Delivery sent(Handle tx, AccountId account, Delivery delivery, String body) {
    deliveries.insert(tx, delivery, body);
    Courier.tell(tx, account);
    return delivery;
  }

  private Webhook lock(Handle tx, AccountId account, WebhookId id) {
    var _ = own(store.find(tx, id), account, id);
    return own(store.lock(tx, id), account, id);
  }

  private Delivery find(Handle tx, WebhookId webhook, DeliveryId id) {
    return deliveries
        .find(tx, webhook, id)
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.NOT_FOUND, "The webhook has no delivery %s.".formatted(id)));
  }

  /** As the store keeps it. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static void requireEnabled(Webhook webhook) {
    if (!webhook.enabled()) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "The webhook %s is disabled, nothing is sent to it: enable it first."
              .formatted(webhook.id()));
    }
  }

  private static Webhook own(Optional<Webhook> found, AccountId account, WebhookId id) {
    Webhook webhook =
        found.orElseThrow(() ->
            new RequestException(ErrorCode.NOT_FOUND, "There is no webhook %s.".formatted(id)));
    if (!webhook.accountId().equals(account)) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "This key has no access to webhook %s.".formatted(id));
    }
    return webhook;
  }
}
