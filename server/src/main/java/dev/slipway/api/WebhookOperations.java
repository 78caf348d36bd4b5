package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.DeliveryId;
import dev.slipway.core.Secret;
import dev.slipway.core.WebhookId;
import dev.slipway.event.EventType;
import dev.slipway.webhook.Attempt;
import dev.slipway.webhook.Delivery;
import dev.slipway.webhook.DeliveryStatus;
import dev.slipway.webhook.Webhook;
import dev.slipway.webhook.WebhookService;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /webhooks}. */
public final class WebhookOperations implements Operations {
  private final WebhookService webhooks;
  private final Paging paging;

  WebhookOperations(WebhookService webhooks, Paging paging) {
    this.webhooks = webhooks;
    this.paging = paging;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listWebhooks", this::list,
        "createWebhook", this::create,
        "getWebhook", this::get,
        "updateWebhook", this::update,
        "deleteWebhook", this::delete,
        "testWebhook", this::test,
        "rotateWebhookSecret", this::rotateSecret,
        "listWebhookDeliveries", this::deliveries,
        "getWebhookDelivery", this::delivery,
        "redeliver", this::redeliver);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of("createWebhook", this::checkUrl, "updateWebhook", this::checkUrl);
  }

  /**
   * As every answer shows it.
   *
   * @param secret only where it was just made
   */
  public record View(
      String id,
      String url,
      List<String> events,
      boolean enabled,
      Optional<String> disabledReason,
      Optional<String> secret,
      Instant createdAt,
      Instant updatedAt) {
    static View of(Webhook webhook, Optional<Secret> secret) {
      return new View(
          webhook.id().value(),
          webhook.url(),
          webhook.events().stream().map(EventType::wireName).toList(),
          webhook.enabled(),
          webhook.disabledReason(),
          secret.map(Secret::reveal),
          webhook.createdAt(),
          webhook.updatedAt());
    }

    static View of(Webhook webhook) {
      return of(webhook, Optional.empty());
    }

    static View of(WebhookService.Revealed revealed) {
      return of(revealed.webhook(), Optional.of(revealed.secret()));
    }
  }

  /** As a list shows it. */
  public record DeliveryView(
      String id,
      String eventId,
      String eventType,
      String resourceId,
      String status,
      int attemptCount,
      Optional<Instant> nextAttemptAt,
      Optional<String> error,
      Instant createdAt,
      Optional<Instant> completedAt) {
    static DeliveryView of(Delivery delivery) {
      return new DeliveryView(
          delivery.id().value(),
          delivery.eventId().value(),
          delivery.eventType(),
          delivery.resource(),
          delivery.status().wireName(),
          delivery.attemptCount(),
          delivery.nextAttemptAt(),
          delivery.error(),
          delivery.createdAt(),
          delivery.completedAt());
    }
  }

  /** What the single read adds. */
  public record DeliveryDetailView(
      @JsonUnwrapped DeliveryView delivery, RequestView request, List<AttemptView> attempts) {
    static DeliveryDetailView of(WebhookService.Kept kept) {
      Map<String, String> headers =
          kept.attempts().isEmpty() ? Map.of() : kept.attempts().getLast().requestHeaders();
      return new DeliveryDetailView(
          DeliveryView.of(kept.delivery()),
          new RequestView(headers, kept.body()),
          kept.attempts().stream().map(AttemptView::of).toList());
    }
  }

  /**
   * @param headers of the last attempt; none before the first
   */
  public record RequestView(Map<String, String> headers, String body) {}

  /** One request and what came of it. */
  public record AttemptView(
      int number,
      Instant at,
      long durationMs,
      Optional<ResponseView> response,
      Optional<String> error) {
    static AttemptView of(Attempt attempt) {
      return new AttemptView(
          attempt.number(),
          attempt.at(),
          attempt.took().toMillis(),
          attempt
              .answer()
              .map(answer -> new ResponseView(answer.status(), answer.headers(), answer.body())),
          attempt.error());
    }
  }

  /** What the endpoint answered. */
  public record ResponseView(int status, Map<String, String> headers, String body) {}

  private Answer list(Call call) {
    return paging.page(
        call,
        "webhooks",
        (after, limit) -> webhooks.list(call.account(), after.map(WebhookId::new), limit),
        webhook -> webhook.id().value(),
        View::of);
  }

  private Answer create(Call call) {
    return Answer.created(
        View.of(
            webhooks.create(
                call.account(), call.text("url").orElseThrow(), events(call).orElse(List.of()))));
  }

  private Answer get(Call call) {
    return Answer.ok(View.of(webhooks.get(call.account(), id(call))));
  }

  private Answer update(Call call) {
    Optional<Boolean> enabled =
        call.body().map(body -> body.get("enabled")).map(JsonNode::booleanValue);
    return Answer.ok(
        View.of(
            webhooks.update(
                call.account(),
                id(call),
                new WebhookService.Change(call.text("url"), events(call), enabled))));
  }

  private Answer delete(Call call) {
    webhooks.delete(call.account(), id(call));
    return Answer.ok(new DeletedView(id(call).value(), true));
  }

  private Answer test(Call call) {
    return Answer.created(DeliveryView.of(webhooks.test(call.account(), id(call))));
  }

  private Answer rotateSecret(Call call) {
    return Answer.ok(View.of(webhooks.rotateSecret(call.account(), id(call))));
  }

  private Answer deliveries(Call call) {
    WebhookId id = id(call);
    Optional<DeliveryStatus> status = call.query("status").flatMap(DeliveryStatus::ofWireName);
    return paging.page(
        call,
        "webhook deliveries %s %s".formatted(id, call.query("status").orElse("")),
        (after, limit) ->
            webhooks.deliveries(call.account(), id, status, after.map(DeliveryId::new), limit),
        delivery -> delivery.id().value(),
        DeliveryView::of);
  }

  private Answer delivery(Call call) {
    return Answer.ok(
        DeliveryDetailView.of(webhooks.delivery(call.account(), id(call), deliveryId(call))));
  }

  private Answer redeliver(Call call) {
    return Answer.created(
        DeliveryView.of(webhooks.redeliver(call.account(), id(call), deliveryId(call))));
  }

  private void checkUrl(Call call, Faults faults) {
    call.text("url").flatMap(webhooks::fault).ifPresent(fault -> faults.add("url", fault));
  }

  private static Optional<List<EventType>> events(Call call) {
    return call.body()
        .map(body -> body.get("events"))
        .map(names -> {
          List<EventType> events = new ArrayList<>();
          names.forEach(name -> events.add(EventType.ofWireName(name.textValue()).orElseThrow()));
          return List.copyOf(events);
        });
  }

  private static WebhookId id(Call call) {
    return new WebhookId(call.path("webhook_id"));
  }

  private static DeliveryId deliveryId(Call call) {
    return new DeliveryId(call.path("delivery_id"));
  }
}
