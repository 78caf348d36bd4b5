package dev.slipway.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request or an answer as a page shows it.
 *
 * @param head a line for each header
 * @param body JSON with a line for each field; empty where there was none
 */
public record WebhookExchange(String head, String body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  // In a page. With the answers of ten attempts it is below 100 KB, whatever they hold.
  private static final int MAX_REQUEST_BYTES = 16_000;
  private static final int MAX_HEAD_BYTES = 2_500;
  private static final int MAX_ANSWER_BYTES = 4_000;

  static WebhookExchange of(WebhookDelivery.Request request) {
    return of(request.headers(), request.body(), MAX_REQUEST_BYTES);
  }

  static WebhookExchange of(WebhookDelivery.Response answer) {
    return of(answer.headers(), answer.body(), MAX_ANSWER_BYTES);
  }

  private static WebhookExchange of(Map<String, String> headers, String body, int maxBytes) {
    String head =
        headers.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(it -> it.getKey() + ": " + it.getValue())
            .collect(Collectors.joining("\n"));
    return new WebhookExchange(
        VisibleText.of(head, MAX_HEAD_BYTES), VisibleText.of(pretty(body), maxBytes));
  }

  /** What is no JSON stays as it is. */
  private static String pretty(String body) {
    if (body.isBlank()) {
      return "";
    }
    try {
      return JSON.readTree(body).toPrettyString();
    } catch (JsonProcessingException noJson) {
      return body;
    }
  }
}
