package dev.slipway.dashboard;

import dev.slipway.api.LocalRequest;
import java.util.List;

/** What was sent to an endpoint, what it answered, and the button to send it again. */
final class WebhookDeliveryPages implements Pages {
  private static final SettingsTab TAB = SettingsTab.WEBHOOKS;

  @Override
  public void mount(Site site) {
    String path = TAB.path() + "/:webhook_id/deliveries/:delivery_id";
    site.get(path, TAB.need(), this::show);
    site.get(path + "/state", TAB.need(), this::state);
    site.post(path + "/redeliver", TAB.need(), this::redeliver, this::show);
  }

  private Reply show(Visit visit) {
    return TAB.show("delivery.jte", read(visit));
  }

  /** Nothing where no attempt was made since. */
  private Reply state(Visit visit) {
    WebhookDeliveryPage page = read(visit);
    return visit.query("seen").filter(page.shape()::equals).isPresent()
        ? new Reply.Unchanged()
        : new Reply.Fragment("settings/deliverystate.jte", page);
  }

  private record Sent(String id) {}

  private Reply redeliver(Visit visit) {
    Sent sent = visit.ask(at(visit, "redeliver"), Sent.class);
    return Reply.done(
        WebhookDelivery.path(visit.path("webhook_id"), sent.id()), Notice.REDELIVERED);
  }

  private static WebhookDeliveryPage read(Visit visit) {
    WebhookFacts webhook =
        visit.ask(
            LocalRequest.of("getWebhook").path("webhook_id", visit.path("webhook_id")),
            WebhookFacts.class);
    WebhookDelivery delivery = visit.ask(at(visit, "getWebhookDelivery"), WebhookDelivery.class);
    return new WebhookDeliveryPage(
        webhook,
        delivery,
        delivery.request().map(WebhookExchange::of),
        delivery.attempts().orElse(List.of()).reversed().stream().map(WebhookAttempt::of).toList());
  }

  private static LocalRequest at(Visit visit, String operation) {
    return LocalRequest.of(operation)
        .path("webhook_id", visit.path("webhook_id"))
        .path("delivery_id", visit.path("delivery_id"));
  }
}
