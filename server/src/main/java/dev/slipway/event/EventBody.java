package dev.slipway.event;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** An event as it is sent. Source: the Standard Webhooks specification, "Payload structure". */
public final class EventBody {
  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private EventBody() {}

  /**
   * @param type letters, dots and underscores
   * @param data JSON
   */
  public static String of(String type, Instant timestamp, long sequence, String data) {
    return "{\"type\":\"%s\",\"timestamp\":\"%s\",\"sequence\":%d,\"data\":%s}"
        .formatted(type, MILLIS.format(timestamp), sequence, data);
  }
}
