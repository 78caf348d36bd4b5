package dev.slipway.dashboard;

import dev.slipway.account.ApiKey;
import dev.slipway.account.ApiKeys;
import dev.slipway.account.MadeKey;
import dev.slipway.core.ApiKeyId;
import dev.slipway.edge.Addresses;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where API keys are made and revoked. */
final class KeyPages implements Pages {
  private static final SettingsTab TAB = SettingsTab.KEYS;

  /** Of keys that were revoked there are more each year. */
  private static final int SHOWN = 25;

  private final ApiKeys keys;
  private final KeyMakers makers;
  private final Addresses addresses;

  KeyPages(KeyMakers makers, Addresses addresses) {
    this.keys = makers.keys();
    this.makers = makers;
    this.addresses = addresses;
  }

  @Override
  public void mount(Site site) {
    site.get(TAB.path(), TAB.need(), this::show);
    site.post(TAB.path(), TAB.need(), this::create, this::show);
    site.post(TAB.path() + "/:key/revoke", TAB.need(), this::revoke, this::show);
  }

  private Reply show(Visit visit) {
    return page(visit, Optional.empty(), visit.form().text("name"));
  }

  /** Not followed by another page: the key is in this answer and nowhere else. */
  private Reply create(Visit visit) {
    MadeKey made = keys.create(visit.who(), visit.form().text("name"));
    String text = made.text().reveal();
    String call =
        "curl %s \\\n  -H \"Authorization: Bearer %s\""
            .formatted(addresses.ofApi("/projects"), text);
    return page(visit, Optional.of(new KeysPage.Made(made.key().name(), text, call)), "");
  }

  private Reply revoke(Visit visit) {
    keys.revoke(visit.who(), new ApiKeyId(visit.path("key")));
    return Reply.done(TAB.address(), Notice.KEY_REVOKED);
  }

  private Reply page(Visit visit, Optional<KeysPage.Made> made, String name) {
    List<ApiKey> all = keys.list(visit.who()).reversed();
    int from = from(visit);
    List<ApiKey> shown =
        all.stream()
            .sorted(Comparator.comparing(key -> key.revokedAt().isPresent()))
            .skip(from)
            .limit(SHOWN)
            .toList();
    Map<String, String> madeBy = makers.of(visit.who(), shown);
    return TAB.show(
        "keys.jte",
        new KeysPage(
            made,
            shown.stream().map(key -> row(key, madeBy)).toList(),
            name,
            from > 0 ? TAB.address() : "",
            from + SHOWN < all.size() ? TAB.address() + "?from=" + (from + SHOWN) : ""));
  }

  /** How many come before those that are shown. */
  private static int from(Visit visit) {
    return visit
        .query("from")
        .filter(it -> it.matches("[0-9]{1,6}"))
        .map(Integer::parseInt)
        .orElse(0);
  }

  private static KeysPage.Row row(ApiKey key, Map<String, String> madeBy) {
    return new KeysPage.Row(
        key.id().value(),
        key.name(),
        key.hint(),
        Optional.ofNullable(madeBy.get(key.id().value())),
        key.createdAt(),
        key.lastUsedAt(),
        key.revokedAt().isPresent());
  }
}
