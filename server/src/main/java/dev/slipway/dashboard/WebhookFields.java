package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.event.EventType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What stands in the form of a webhook.
 *
 * @param all whether it gets every event, also of types that come later
 * @param events the types that are chosen otherwise
 */
public record WebhookFields(String url, boolean all, Set<String> events) {
  private static final String ALL = "all";

  public WebhookFields {
    events = Set.copyOf(events);
  }

  /**
   * The types that events of one kind of resource have.
   *
   * @param title for example {@code Deployments}
   */
  public record Group(String title, List<Choice> choices) {
    public Group {
      choices = List.copyOf(choices);
    }
  }

  /**
   * One type.
   *
   * @param name as the API writes it
   * @param label without its resource
   */
  public record Choice(String name, String label) {
    /** Of its field. */
    public String id() {
      return "event-" + name.replace('.', '-');
    }
  }

  /** Of a new one. */
  static WebhookFields fresh() {
    return new WebhookFields("", true, Set.of());
  }

  static WebhookFields of(WebhookFacts webhook) {
    return new WebhookFields(
        webhook.url(), webhook.events().isEmpty(), Set.copyOf(webhook.events()));
  }

  /** What was typed, where this form was sent. */
  WebhookFields with(Form form) {
    return form.checked("url")
        ? new WebhookFields(
            form.text("url"), form.text("which").equals(ALL), Set.copyOf(form.all("events")))
        : this;
  }

  /**
   * As the API takes it.
   *
   * @throws RequestException {@code INVALID_REQUEST} where no event is chosen: to the API that
   *     would mean all
   */
  ObjectNode body() {
    if (!all && events.isEmpty()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "No event is chosen: choose those to send, or all.");
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("url", url);
    ArrayNode names = body.putArray("events");
    if (!all) {
      events.stream().sorted().forEach(names::add);
    }
    return body;
  }

  /** All types there are, by their resources. */
  public static List<Group> groups() {
    Map<String, List<Choice>> byResource =
        Arrays.stream(EventType.values())
            .map(EventType::wireName)
            .collect(
                Collectors.groupingBy(
                    name -> name.substring(0, name.indexOf('.')),
                    LinkedHashMap::new,
                    Collectors.mapping(WebhookFields::choice, Collectors.toList())));
    return byResource.entrySet().stream()
        .map(it -> new Group(Badge.capital(it.getKey()) + "s", it.getValue()))
        .toList();
  }

  private static Choice choice(String name) {
    return new Choice(name, Badge.capital(name.substring(name.indexOf('.') + 1).replace('_', ' ')));
  }
}
