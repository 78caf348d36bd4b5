package dev.slipway.source;

import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
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

  /**
   * What {@code ref} names on the host of this kind.
   *
   * @throws AppFailure {@code SOURCE_UNREACHABLE} where none is configured
   */
  public Source source(String kind, AccountId account, SourceRef ref) {
    return host(kind, account).at(ref);
  }

  /**
   * The branches of a repository on the host of this kind.
   *
   * @throws AppFailure {@code SOURCE_UNREACHABLE}, {@code SOURCE_NOT_FOUND}
   */
  public List<String> branches(String kind, AccountId account, RepoName repo) {
    return host(kind, account).branches(repo);
  }

  private SourceHost host(String kind, AccountId account) {
    return find(kind, account)
        .orElseThrow(() ->
            new AppFailure(
                FailureCode.SOURCE_UNREACHABLE,
                "The git host %s is not configured on this server any more: add it to repo_hosts."
                    .formatted(kind)));
  }

  private Optional<SourceHost> find(String kind, AccountId account) {
    return entries.stream()
        .filter(entry -> entry.anonymous().kind().equals(kind))
        .map(entry -> entry.trusted().test(account) ? entry.withToken() : entry.anonymous())
        .findFirst();
  }
}
