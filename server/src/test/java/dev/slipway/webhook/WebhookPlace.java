package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.EventId;
import dev.slipway.core.Eventually;
import dev.slipway.core.ProjectId;
import dev.slipway.core.TestClock;
import dev.slipway.core.WebhookId;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import dev.slipway.event.Event;
import dev.slipway.event.EventType;
import dev.slipway.vault.Vault;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A store with an account, whose events are placed by hand and sent by real couriers. */
final class WebhookPlace implements AutoCloseable {
  final TestClock clock = new TestClock();
  final Database database = TestDatabase.fresh();
  final Notifications notifications = Notifications.open(database.address());
  final Vertx vertx = Vertx.vertx();
  final Vault vault;
  final WebhookService service;
  final FanOut fanOut;
  final AccountId account = addAccount();
  private final Map<String, Long> sequences = new HashMap<>();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  WebhookPlace(Path directory) {
    try {
      vault = Vault.open(directory.resolve("master.json"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    service = new WebhookService(database, vault, true, clock);
    fanOut = new FanOut(vault, clock);
  }

  AccountId addAccount() {
    AccountId id = AccountId.next();
    database.useTransaction(
        tx -> tx.execute("INSERT INTO account VALUES (?, 'free', ?)", id.value(), clock.instant()));
    return id;
  }

  Courier courier(String worker) {
    return courier(worker, Sender.LIMIT);
  }

  /**
   * @param limit for one attempt
   */
  Courier courier(String worker, Duration limit) {
    Courier courier =
        new Courier(
            new Dispatch(database, vault, worker, clock),
            new Sender(vertx, true, Optional.empty(), limit, clock));
    open.push(courier);
    return courier.start(notifications);
  }

  Receiver receiver() {
    Receiver receiver = new Receiver(vertx);
    open.push(receiver);
    return receiver;
  }

  WebhookId webhook(String url) {
    return service.create(account, url, List.of()).webhook().id();
  }

  /** As many of the resource as are asked for, in their order. */
  List<Event> happen(String resource, int count) {
    List<Event> events = IntStream.range(0, count).mapToObj(_ -> next(resource)).toList();
    place(events);
    return events;
  }

  void place(List<Event> events) {
    database.useTransaction(tx -> fanOut.placed(tx, events));
  }

  Event next(String resource) {
    return next(account, EventType.DEPLOYMENT_LIVE, resource);
  }

  Event next(AccountId owner, EventType type, String resource) {
    long sequence = sequences.merge(resource, 1L, Long::sum);
    return new Event(
        EventId.next(),
        owner,
        ProjectId.next(),
        type,
        resource,
        sequence,
        "{\"type\":\"%s\",\"sequence\":%d,\"data\":\"%s\"}"
            .formatted(type.wireName(), sequence, resource),
        clock.instant());
  }

  /** Newest first. */
  List<Delivery> deliveries(WebhookId webhook) {
    return service.deliveries(account, webhook, Optional.empty(), Optional.empty(), 1_000);
  }

  Delivery only(WebhookId webhook) {
    return deliveries(webhook).getFirst();
  }

  List<Attempt> attempts(WebhookId webhook) {
    return service.delivery(account, webhook, only(webhook).id()).attempts();
  }

  void await(WebhookId webhook, DeliveryStatus status, int count) {
    Eventually.holds(
        "%d deliveries are %s".formatted(count, status),
        () -> deliveries(webhook).stream().filter(it -> it.status() == status).count() == count);
  }

  /** Of the newest delivery. */
  void awaitAttempts(WebhookId webhook, int count) {
    Eventually.holds(
        "%d attempts were made".formatted(count),
        () -> only(webhook).attemptCount() == count && sent(webhook));
  }

  private boolean sent(WebhookId webhook) {
    Delivery delivery = only(webhook);
    return delivery.status() != DeliveryStatus.PENDING || delivery.nextAttemptAt().isPresent();
  }

  void later(Duration time, Courier courier) {
    clock.advance(time);
    courier.look();
  }

  @Override
  public void close() {
    List<Exception> failures = new ArrayList<>();
    for (AutoCloseable part : open) {
      try {
        part.close();
      } catch (Exception e) {
        failures.add(e);
      }
    }
    notifications.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
    database.close();
    if (!failures.isEmpty()) {
      throw new AssertionError("a part did not close", failures.getFirst());
    }
  }
}
