package dev.slipway.dashboard;

import dev.slipway.account.ApiKey;
import dev.slipway.account.ApiKeys;
import dev.slipway.account.Audit;
import dev.slipway.account.AuditEntry;
import dev.slipway.account.SignedIn;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Which user made which API key, by the audit log; what the operator made is nobody's. */
record KeyMakers(ApiKeys keys, Audit audit) {
  /** The users' e-mail addresses, by the ids of the keys. */
  Map<String, String> of(SignedIn who, List<ApiKey> made) {
    return audit
        .first(who.account().id(), made.stream().map(it -> it.id().value()).toList())
        .values()
        .stream()
        .filter(it -> it.action().equals("api_key.create"))
        .collect(Collectors.toUnmodifiableMap(AuditEntry::subject, AuditEntry::actor));
  }

  /**
   * The names of the keys that open the account, by the e-mail address of who made them; those that
   * nobody is known to have made are at the empty one. For owners.
   */
  Map<String, List<String>> working(SignedIn who) {
    List<ApiKey> working =
        keys.list(who).stream().filter(key -> key.revokedAt().isEmpty()).toList();
    Map<String, String> makers = of(who, working);
    return working.stream()
        .collect(
            Collectors.groupingBy(
                key -> makers.getOrDefault(key.id().value(), ""),
                Collectors.mapping(ApiKey::name, Collectors.toUnmodifiableList())));
  }
}
