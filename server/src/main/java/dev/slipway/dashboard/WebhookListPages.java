package dev.slipway.dashboard;

import dev.slipway.api.LocalRequest;
import dev.slipway.core.WebhookId;
import dev.slipway.webhook.Delivery;
import dev.slipway.webhook.WebhookService;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The endpoints that events are sent to, and where one is added. */
final class WebhookListPages implements Pages {
  private static final SettingsTab TAB = SettingsTab.WEBHOOKS;

  /** An account has fewer. */
  private static final String ALL = "100";

  private final WebhookService webhooks;

  WebhookListPages(WebhookService webhooks) {
    this.webhooks = webhooks;
  }

  @Override
  public void mount(Site site) {
    site.get(TAB.path(), TAB.need(), this::show);
    site.post(TAB.path(), TAB.need(), this::create, this::show);
  }

  private Reply show(Visit visit) {
    return page(visit, Optional.empty(), WebhookFields.fresh().with(visit.form()));
  }

  /** Not followed by another page: the secret is in this answer and nowhere else. */
  private Reply create(Visit visit) {
    WebhookFields fields = WebhookFields.fresh().with(visit.form());
    WebhookFacts made =
        visit.ask(LocalRequest.of("createWebhook").body(fields.body()), WebhookFacts.class);
    return page(visit, made.secret().map(WebhookSecret::made), WebhookFields.fresh());
  }

  private Reply page(Visit visit, Optional<WebhookSecret> made, WebhookFields fields) {
    List<WebhookFacts> all =
        visit
            .list(LocalRequest.of("listWebhooks").query("limit", ALL), WebhookFacts.class)
            .records();
    Map<WebhookId, Delivery> newest =
        all.isEmpty() ? Map.of() : webhooks.newest(visit.who().account().id());
    return TAB.show(
        "webhooks.jte",
        new WebhooksPage(
            made,
            all.stream()
                .map(it ->
                    new WebhooksPage.Row(
                        it,
                        Optional.ofNullable(newest.get(new WebhookId(it.id())))
                            .map(WebhookListPages::last)))
                .toList(),
            fields));
  }

  private static WebhooksPage.Last last(Delivery delivery) {
    return new WebhooksPage.Last(
        WebhookDelivery.path(delivery.webhookId().value(), delivery.id().value()),
        WebhookDelivery.state(delivery.status().wireName(), delivery.attemptCount()),
        delivery.createdAt());
  }
}
