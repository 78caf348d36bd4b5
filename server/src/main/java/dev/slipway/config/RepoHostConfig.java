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
 * @param api by which the host is told what came of a push; absent where it is not known
 * @param apiUrl where that is, without a slash at its end; absent where it is at its usual place
 */
public record RepoHostConfig(
    String kind,
    URI url,
    Optional<Secret> token,
    List<String> accounts,
    Optional<GitApi> api,
    Optional<URI> apiUrl) {
  public static final List<RepoHostConfig> DEFAULTS =
      List.of(
          RepoHostConfig.of(
              "github", URI.create("https://github.com"), Optional.empty(), List.of()));

  public RepoHostConfig {
    accounts = List.copyOf(accounts);
  }

  /** With the API that its names tell of. */
  public static RepoHostConfig of(
      String kind, URI url, Optional<Secret> token, List<String> accounts) {
    return new RepoHostConfig(
        kind, url, token, accounts, GitApi.guess(kind, url), Optional.empty());
  }

  /** Where its API is; empty where it has none that is known, as a folder has none. */
  public Optional<URI> apiAddress() {
    return api.filter(_ -> !url.getScheme().equals("file"))
        .map(it -> apiUrl.orElseGet(() -> it.at(url)));
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
    Optional<GitApi> api = section.value("api", Kinds.GIT_API);
    Optional<URI> apiUrl = section.value("api_url", Kinds.API_ADDRESS);
    section.end();
    section.checkUnique("kind", kind, earlierKinds);
    return kind.flatMap(name ->
        url.map(where ->
            new RepoHostConfig(
                name, where, token, accounts, api.or(() -> GitApi.guess(name, where)), apiUrl)));
  }
}
