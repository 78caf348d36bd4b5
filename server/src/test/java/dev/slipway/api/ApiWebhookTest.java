package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.WebhookId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiWebhookTest {
  private static final String ALL = "/v1/webhooks";
  private static final String URL = "https://hooks.example.org/slipway";

  private final ApiPlace api = new ApiPlace();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void theSecretIsShownWhenItIsMadeAndNeverAgain() {
    JsonNode made = create(Map.of("url", URL)).data();

    assertThat(made.get("secret").asText()).matches("whsec_[A-Za-z0-9+/]{43}=");
    assertThat(made.get("enabled").asBoolean()).isTrue();
    assertThat(made.get("events")).isEmpty();
    assertThat(api.get(uri(made)).data().has("secret")).isFalse();
    assertThat(api.get(ALL).data().get(0).has("secret")).isFalse();
    JsonNode rotated = api.post(uri(made) + "/rotate_secret", "{}").data();
    assertThat(rotated.get("secret")).isNotEqualTo(made.get("secret"));
    assertThat(api.get(uri(made)).data().has("secret")).isFalse();
  }

  @Test
  void theSecretIsNotReadableInTheStore() {
    String secret = create(Map.of("url", URL)).data().get("secret").asText();

    byte[] kept =
        api.plane.database.read(
            tx -> tx.createQuery("SELECT secret FROM webhook").mapTo(byte[].class).one());
    assertThat(new String(kept, StandardCharsets.ISO_8859_1)).doesNotContain(secret.substring(6));
  }

  @Test
  void webhooksAreListedNewestFirstInPages() {
    for (int i = 0; i < 3; i++) {
      create(Map.of("url", URL + i));
    }

    JsonNode first = api.get(ALL + "?limit=2").json();
    assertThat(first.at("/data/0/url").asText()).isEqualTo(URL + 2);
    String cursor = first.at("/pagination/next_cursor").asText();
    JsonNode second = api.get(ALL + "?limit=2&cursor=" + cursor).json();
    assertThat(second.at("/data/0/url").asText()).isEqualTo(URL + 0);
    assertThat(second.at("/pagination/has_more").asBoolean()).isFalse();
  }

  @Test
  void whatIsNotNamedDoesNotChange() {
    JsonNode made =
        create(Map.of("url", URL, "events", List.of("deployment.live", "domain.failed"))).data();

    JsonNode changed = patch(made, Map.of("enabled", false)).data();
    assertThat(changed.get("enabled").asBoolean()).isFalse();
    assertThat(changed.get("events")).isEqualTo(made.get("events"));
    assertThat(changed.has("disabled_reason")).isFalse();
    assertThat(patch(made, Map.of("events", List.of())).data().get("events")).isEmpty();
    assertThat(patch(made, Map.of("url", URL + "/2")).data().get("url").asText())
        .isEqualTo(URL + "/2");
    assertThat(patch(made, Map.of()).status()).isEqualTo(400);
  }

  @Test
  void aUrlThatNothingMayBeSentToIsRefusedWithTheReason() {
    Map.of(
            "http://hooks.example.org/",
            "must begin with https://",
            "ftp://hooks.example.org/",
            "must begin with https://",
            "hooks.example.org",
            "must begin with https://",
            "https://ada:secret@hooks.example.org/",
            "no user and no password",
            "https://hooks.example.org/#here",
            "no fragment",
            "https://hooks.example.org:70000/",
            "impossible port",
            "https:///path",
            "no host",
            "https://127.0.0.1/",
            "not one of the public internet",
            "https://[::ffff:10.0.0.1]/",
            "not one of the public internet",
            "https://hooks.example.org/" + "x".repeat(2048),
            "2048")
        .forEach((url, reason) -> {
          ApiPlace.Reply refused = create(Map.of("url", url));
          assertThat(refused.status()).as(url).isEqualTo(400);
          assertThat(refused.message()).contains("url: ", reason);
        });
    assertThat(api.plane.count("webhook")).isZero();
  }

  @Test
  void anUnknownTypeOfEventIsRefused() {
    ApiPlace.Reply refused = create(Map.of("url", URL, "events", List.of("deployment.lives")));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains("events.0: ");
  }

  @Test
  void anAccountHasFiftyOfThem() {
    for (int i = 0; i < 50; i++) {
      assertThat(create(Map.of("url", URL + i)).status()).isEqualTo(201);
    }
    ApiPlace.Reply tooMany = create(Map.of("url", URL));

    assertThat(tooMany.status()).isEqualTo(409);
    assertThat(tooMany.message()).contains("50 webhooks", "delete one");
    assertThat(api.postAs(otherKey(), ALL, ApiPlace.json(Map.of("url", URL))).status())
        .isEqualTo(201);
  }

  @Test
  void aTestIsADeliveryThatCanBeReadAndSentAgain() {
    JsonNode webhook = create(Map.of("url", URL, "events", List.of("domain.failed"))).data();

    JsonNode test = api.post(uri(webhook) + "/test", "{}").data();
    assertThat(test.get("event_type").asText()).isEqualTo("webhook.test");
    assertThat(test.get("status").asText()).isEqualTo("pending");
    assertThat(test.get("resource_id")).isEqualTo(webhook.get("id"));
    JsonNode read = api.get(deliveries(webhook) + "/" + test.get("id").asText()).data();
    assertThat(read.at("/request/body").asText())
        .isEqualTo(
            "{\"type\":\"webhook.test\",\"timestamp\":\"2026-11-21T09:30:00.000Z\",\"data\":{\"webhook_id\":\"%s\"}}"
                .formatted(webhook.get("id").asText()));
    assertThat(read.get("attempts")).isEmpty();

    api.plane.clock.advance(Duration.ofDays(1));
    JsonNode again =
        api.post(deliveries(webhook) + "/" + test.get("id").asText() + "/redeliver", "{}").data();
    assertThat(again.get("event_id")).isEqualTo(test.get("event_id"));
    assertThat(again.get("id")).isNotEqualTo(test.get("id"));
    JsonNode list = api.get(deliveries(webhook)).data();
    assertThat(list.findValuesAsText("id"))
        .containsExactly(again.get("id").asText(), test.get("id").asText());
  }

  @Test
  void deliveriesAreListedByStatus() {
    JsonNode webhook = create(Map.of("url", URL)).data();
    api.post(uri(webhook) + "/test", "{}");
    patch(webhook, Map.of("enabled", false));
    patch(webhook, Map.of("enabled", true));
    api.post(uri(webhook) + "/test", "{}");

    JsonNode failed = api.get(deliveries(webhook) + "?status=failed").data();
    assertThat(failed).hasSize(1);
    assertThat(failed.at("/0/error").asText()).contains("was disabled");
    assertThat(failed.get(0).has("next_attempt_at")).isFalse();
    assertThat(api.get(deliveries(webhook) + "?status=pending").data()).hasSize(1);
    assertThat(api.get(deliveries(webhook) + "?status=delivered").data()).isEmpty();
    assertThat(api.get(deliveries(webhook)).data()).hasSize(2);
    assertThat(api.get(deliveries(webhook) + "?status=lost").status()).isEqualTo(400);
  }

  @Test
  void nothingIsSentToOneThatIsDisabled() {
    JsonNode webhook = create(Map.of("url", URL)).data();
    String test = api.post(uri(webhook) + "/test", "{}").data().get("id").asText();
    patch(webhook, Map.of("enabled", false));

    assertThat(api.post(uri(webhook) + "/test", "{}").code()).isEqualTo("conflict");
    assertThat(api.post(deliveries(webhook) + "/" + test + "/redeliver", "{}").message())
        .contains("enable it first");
  }

  @Test
  void aDeletedOneTakesItsDeliveriesWithIt() {
    JsonNode webhook = create(Map.of("url", URL)).data();
    api.post(uri(webhook) + "/test", "{}");

    assertThat(api.call("DELETE", uri(webhook), "").data().get("deleted").asBoolean()).isTrue();
    assertThat(api.get(uri(webhook)).status()).isEqualTo(404);
    assertThat(api.plane.count("webhook_delivery")).isZero();
  }

  @Test
  void aDeliveryBelongsToItsWebhook() {
    JsonNode webhook = create(Map.of("url", URL)).data();
    JsonNode other = create(Map.of("url", URL)).data();
    String test = api.post(uri(webhook) + "/test", "{}").data().get("id").asText();

    assertThat(api.get(deliveries(other) + "/" + test).status()).isEqualTo(404);
    assertThat(api.getAs(otherKey(), deliveries(webhook) + "/" + test).status()).isEqualTo(403);
    assertThat(api.get(ALL + "/" + WebhookId.next()).status()).isEqualTo(404);
  }

  private String otherKey() {
    return api.addKey(api.plane.addAccount());
  }

  private ApiPlace.Reply create(Map<String, ?> fields) {
    return api.post(ALL, ApiPlace.json(fields));
  }

  private ApiPlace.Reply patch(JsonNode webhook, Map<String, ?> fields) {
    return api.call("PATCH", uri(webhook), ApiPlace.json(fields));
  }

  private static String uri(JsonNode webhook) {
    return ALL + "/" + webhook.get("id").asText();
  }

  private static String deliveries(JsonNode webhook) {
    return uri(webhook) + "/deliveries";
  }
}
