package dev.slipway.hook.host;

import dev.slipway.core.AccountId;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The git hosts that are told something, by the kind that projects name. Immutable. */
public record GitHostApis(Map<String, Entry> entries) {
  public static final GitHostApis NONE = new GitHostApis(Map.of());

  /**
   * @param trusted the accounts that the operator's token is for
   */
  public record Entry(GitHostApi api, Predicate<AccountId> trusted) {}

  public GitHostApis {
    entries = Map.copyOf(entries);
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Empty where there is no token for the account: then nothing is said. */
  public Optional<GitHostApi> of(String kind, AccountId account) {
    return Optional.ofNullable(entries.get(kind))
        .filter(entry -> entry.trusted().test(account))
        .map(Entry::api);
  }
}
