package dev.slipway.dashboard;

import dev.slipway.account.ApiKey;
import dev.slipway.account.ApiKeys;
import dev.slipway.account.Audit;
import dev.slipway.account.AuditEntry;
import dev.slipway.account.MadeKey;
import dev.slipway.core.ApiKeyId;
import dev.slipway.edge.Addresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where API keys are made and revoked. */
final class KeyPages implements Pages {
  private static final SettingsTab TAB = SettingsTab.KEYS;

  private final ApiKeys keys;
  private final Audit audit;
  private final Addresses addresses;

  KeyPages(ApiKeys keys, Audit audit, Addresses addresses) {
    this.keys = keys;
    this.audit = audit;
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
    Map<String, AuditEntry> entries =
        audit.first(visit.who().account().id(), all.stream().map(it -> it.id().value()).toList());
    return TAB.show(
        "keys.jte", new KeysPage(made, all.stream().map(key -> row(key, entries)).toList(), name));
  }

  private static KeysPage.Row row(ApiKey key, Map<String, AuditEntry> entries) {
    Optional<String> madeBy =
        Optional.ofNullable(entries.get(key.id().value()))
            .filter(it -> it.action().equals("api_key.create"))
            .map(AuditEntry::actor);
    return new KeysPage.Row(
        key.id().value(),
        key.name(),
        key.hint(),
        madeBy,
        key.createdAt(),
        key.lastUsedAt(),
        key.revokedAt().isPresent());
  }
}
