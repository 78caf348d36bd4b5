package dev.slipway.core;

/** Identifies an endpoint that events are sent to. */
public record WebhookId(String value) {
  public static WebhookId next() {
    return new WebhookId(TypeId.next("whk"));
  }

  @Override
  public String toString() {
    return value;
  }
}
