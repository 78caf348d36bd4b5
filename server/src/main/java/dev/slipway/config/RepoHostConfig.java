package dev.slipway.config;

import dev.slipway.core.Secret;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A git host. Its repositories are {@code <url>/<owner>/<repo>.git}.
 *
 * @param kind the word that requests use as source
 * @param url {@code http}, {@code https} or {@code file}, without a slash at its end
 * @param token for private repositories
 * @param accounts which the token is for; empty: the first account alone
 */
public record RepoHostConfig(String kind, URI url, Optional<Secret> token, List<String> accounts) {
  public static final List<RepoHostConfig> DEFAULTS =
      List.of(
          new RepoHostConfig(
              "github", URI.create("https://github.com"), Optional.empty(), List.of()));

  public RepoHostConfig {
    accounts = List.copyOf(accounts);
  }

  static List<RepoHostConfig> readAll(List<Section> sections) {
    Set<String> kinds = new HashSet<>();
    return sections.stream().flatMap(section -> read(section, kinds).stream()).toList();
  }

  private static Optional<RepoHostConfig> read(Section section, Set<String> earlierKinds) {
    Optional<String> kind = section.required("kind", Kinds.REPOSITORY_KIND);
    Optional<URI> url = section.required("url", Kinds.REPOSITORY_ADDRESS);
    Optional<Secret> token = section.value("token", Kinds.SECRET);
    List<String> accounts = section.list("accounts", List.of(), Kinds.TEXT);
    section.end();
    section.checkUnique("kind", kind, earlierKinds);
    return kind.flatMap(name -> url.map(where -> new RepoHostConfig(name, where, token, accounts)));
  }
}
