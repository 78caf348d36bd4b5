package dev.slipway.source;

import dev.slipway.core.AccountId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The git hosts of the configuration. Immutable. */
public final class SourceHosts {
  private final List<Entry> entries;

  /**
   * @param withToken for those whom the operator trusts with the host's token
   * @param anonymous the same host without it, for everybody else
   */
  public record Entry(SourceHost withToken, SourceHost anonymous, Predicate<AccountId> trusted) {}

  public SourceHosts(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** The values that the API field {@code source} may have for them. */
  public List<String> kinds() {
    return entries.stream().map(entry -> entry.anonymous().kind()).toList();
  }

  /** Empty where no host of this kind is configured. */
  public Optional<SourceHost> find(String kind, AccountId account) {
    return entries.stream()
        .filter(entry -> entry.anonymous().kind().equals(kind))
        .map(entry -> entry.trusted().test(account) ? entry.withToken() : entry.anonymous())
        .findFirst();
  }
}
