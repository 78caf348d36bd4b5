package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An endpoint for events as the API tells of it.
 *
 * @param events the types that it gets; none means all
 * @param disabledReason why this server disabled it, as a sentence
 * @param secret where it was made just now
 */
public record WebhookFacts(
    String id,
    String url,
    List<String> events,
    boolean enabled,
    Optional<String> disabledReason,
    Optional<String> secret,
    Instant createdAt) {
  private static final int MAX_SHOWN = 120;

  public WebhookFacts {
    events = List.copyOf(events);
  }

  public String path() {
    return path(id);
  }

  static String path(String id) {
    return "%s/%s".formatted(SettingsTab.WEBHOOKS.address(), id);
  }

  /** The address, or the beginning of a long one. */
  public String shown() {
    return url.length() <= MAX_SHOWN ? url : url.substring(0, MAX_SHOWN) + " …";
  }

  /** One that we disabled needs somebody to look at it. */
  public Badge state() {
    if (enabled) {
      return new Badge("ok", "Enabled");
    }
    return new Badge(disabledReason.isPresent() ? "bad" : "off", "Disabled");
  }

  /** What it gets, in few words. */
  public String gets() {
    return events.isEmpty()
        ? "All"
        : events.stream().limit(3).collect(Collectors.joining(", "))
            + (events.size() > 3 ? " and %d more".formatted(events.size() - 3) : "");
  }
}
