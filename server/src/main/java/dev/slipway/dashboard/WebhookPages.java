package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import java.util.Optional;

/** One endpoint for events: what it gets, its secret, and what was sent to it. */
final class WebhookPages implements Pages {
  private static final SettingsTab TAB = SettingsTab.WEBHOOKS;
  private static final String LIMIT = "25";

  @Override
  public void mount(Site site) {
    String path = TAB.path() + "/:webhook_id";
    site.get(path, TAB.need(), this::show);
    site.get(path + "/rows", TAB.need(), this::rows);
    site.post(path, TAB.need(), this::change, this::show);
    site.post(path + "/enable", TAB.need(), visit -> enable(visit, true), this::show);
    site.post(path + "/disable", TAB.need(), visit -> enable(visit, false), this::show);
    site.post(path + "/rotate", TAB.need(), this::rotate, this::show);
    site.post(path + "/test", TAB.need(), this::test, this::show);
    site.post(path + "/delete", TAB.need(), this::delete, this::show);
  }

  private Reply show(Visit visit) {
    return page(visit, Optional.empty());
  }

  private Reply rows(Visit visit) {
    return new Reply.Fragment("settings/deliveryrows.jte", read(visit, Optional.empty()));
  }

  private Reply change(Visit visit) {
    WebhookFields fields = WebhookFields.fresh().with(visit.form());
    visit.tell(at(visit, "updateWebhook").body(fields.body()));
    return done(visit, Notice.WEBHOOK_SAVED);
  }

  private static Reply enable(Visit visit, boolean enabled) {
    visit.tell(
        at(visit, "updateWebhook")
            .body(JsonNodeFactory.instance.objectNode().put("enabled", enabled)));
    return done(visit, enabled ? Notice.WEBHOOK_ENABLED : Notice.WEBHOOK_DISABLED);
  }

  /** Not followed by another page: the secret is in this answer and nowhere else. */
  private Reply rotate(Visit visit) {
    WebhookFacts rotated = visit.ask(at(visit, "rotateWebhookSecret"), WebhookFacts.class);
    return page(visit, rotated.secret().map(WebhookSecret::rotated));
  }

  private record Sent(String id) {}

  private Reply test(Visit visit) {
    Sent sent = visit.ask(at(visit, "testWebhook"), Sent.class);
    return Reply.done(WebhookDelivery.path(id(visit), sent.id()), Notice.TEST_SENT);
  }

  private Reply delete(Visit visit) {
    visit.tell(at(visit, "deleteWebhook"));
    return Reply.done(TAB.address(), Notice.WEBHOOK_DELETED);
  }

  private static Reply page(Visit visit, Optional<WebhookSecret> rotated) {
    return TAB.show("webhook.jte", read(visit, rotated));
  }

  private static WebhookPage read(Visit visit, Optional<WebhookSecret> rotated) {
    WebhookFacts webhook = visit.ask(at(visit, "getWebhook"), WebhookFacts.class);
    LocalRequest request = at(visit, "listWebhookDeliveries").query("limit", LIMIT);
    Optional<String> status = visit.query("status");
    Optional<String> cursor = visit.query("cursor");
    if (status.isPresent()) {
      request = request.query("status", status.get());
    }
    if (cursor.isPresent()) {
      request = request.query("cursor", cursor.get());
    }
    LocalApi.Listed<WebhookDelivery> found = visit.list(request, WebhookDelivery.class);
    return new WebhookPage(
        webhook,
        rotated,
        WebhookFields.of(webhook).with(visit.form()),
        found.records(),
        status.orElse(""),
        cursor.orElse(""),
        found.nextCursor());
  }

  private static Reply done(Visit visit, Notice notice) {
    return Reply.done(WebhookFacts.path(id(visit)), notice);
  }

  private static LocalRequest at(Visit visit, String operation) {
    return LocalRequest.of(operation).path("webhook_id", id(visit));
  }

  private static String id(Visit visit) {
    return visit.path("webhook_id");
  }
}
