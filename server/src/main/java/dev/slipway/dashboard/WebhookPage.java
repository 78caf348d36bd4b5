package dev.slipway.dashboard;

import dev.slipway.webhook.DeliveryStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A webhook and some of its deliveries, newest first.
 *
 * @param rotated its new secret, where it was made just now
 * @param fields to change it
 * @param status of the deliveries that are asked for; empty where any will do
 * @param cursor where these begin; empty where they are the newest
 * @param older where the next ones begin
 */
public record WebhookPage(
    WebhookFacts webhook,
    Optional<WebhookSecret> rotated,
    WebhookFields fields,
    List<WebhookDelivery> deliveries,
    String status,
    String cursor,
    Optional<String> older) {
  public WebhookPage {
    deliveries = List.copyOf(deliveries);
  }

  /** To choose from. */
  public static List<Option> states() {
    List<Option> options = new ArrayList<>(List.of(new Option("", "Any state")));
    Arrays.stream(DeliveryStatus.values())
        .map(DeliveryStatus::wireName)
        .forEach(it -> options.add(new Option(it, Badge.of(it).label())));
    return options;
  }

  public String pathOf(WebhookDelivery delivery) {
    return WebhookDelivery.path(webhook.id(), delivery.id());
  }

  /** Where the rows alone are, to be looked at again. */
  public String rowsPath() {
    return webhook.path() + "/rows" + query(cursor);
  }

  /** How often. */
  public String trigger() {
    boolean soon = deliveries.stream().anyMatch(it -> it.isPending() && it.attemptCount() == 0);
    return soon ? "every 3s" : "every 15s";
  }

  /** Empty where these are the newest. */
  public String newestPath() {
    return cursor.isEmpty() ? "" : webhook.path() + query("");
  }

  /** Empty where there are none. */
  public String olderPath() {
    return older.map(it -> webhook.path() + query(it)).orElse("");
  }

  private String query(String from) {
    String parameters =
        Stream.of(new Option("status", status), new Option("cursor", from))
            .filter(it -> !it.text().isEmpty())
            .map(it -> it.value() + "=" + Shown.encoded(it.text()))
            .collect(Collectors.joining("&"));
    return parameters.isEmpty() ? "" : "?" + parameters;
  }
}
