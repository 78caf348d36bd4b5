package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeliveryId;
import dev.slipway.event.Event;
import dev.slipway.event.EventListener;
import dev.slipway.vault.Vault;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Makes a delivery of each event for each endpoint that takes it. Thread-safe. */
public final class FanOut implements EventListener {
  private static final int AT_ONCE = 2_000;

  private final WebhookStore webhooks;
  private final FanOutStore store = new FanOutStore();
  private final Clock clock;

  public FanOut(Vault vault, Clock clock) {
    this.webhooks = new WebhookStore(vault);
    this.clock = clock;
  }

  @Override
  public void placed(Handle tx, List<Event> events) {
    Set<AccountId> accounts =
        events.stream().map(Event::accountId).collect(Collectors.toUnmodifiableSet());
    Map<AccountId, List<Webhook>> enabled =
        webhooks.lockEnabled(tx, accounts).stream()
            .collect(Collectors.groupingBy(Webhook::accountId));
    List<FanOutStore.Addressed> addressed = new ArrayList<>();
    Set<Event> sent = new LinkedHashSet<>();
    for (Event event : events) {
      for (Webhook webhook : enabled.getOrDefault(event.accountId(), List.of())) {
        if (webhook.takes(event.type())) {
          addressed.add(new FanOutStore.Addressed(DeliveryId.next(), webhook.id(), event));
          sent.add(event);
        }
      }
    }
    if (addressed.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    store.addMessages(tx, sent, now);
    for (int from = 0; from < addressed.size(); from += AT_ONCE) {
      List<FanOutStore.Addressed> some =
          addressed.subList(from, Math.min(from + AT_ONCE, addressed.size()));
      store.addDeliveries(tx, some, now);
    }
    sent.stream().map(Event::accountId).distinct().forEach(account -> Courier.tell(tx, account));
  }
}
