package dev.slipway.webhook;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a delivery has come. */
public enum DeliveryStatus {
  /** It is sent, or will be. */
  PENDING,
  /** The endpoint has taken it. */
  DELIVERED,
  /** It is not sent any more. */
  FAILED;

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DeliveryStatus> ofWireName(String name) {
    return Arrays.stream(values()).filter(status -> status.wireName().equals(name)).findFirst();
  }
}
