package dev.slipway.config;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of APIs that git hosts have. */
public enum GitApi {
  GITHUB("/api/v3", List.of("github")),
  GITLAB("/api/v4", List.of("gitlab")),
  /** Of Gitea and of Forgejo. */
  GITEA("/api/v1", List.of("gitea", "forgejo", "codeberg"));

  private static final String GITHUB_COM = "github.com";

  private final String path;
  private final List<String> names;

  GitApi(String path, List<String> names) {
    this.path = path;
    this.names = names;
  }

  /** The one that a host has by what it is called; empty where that does not tell. */
  static Optional<GitApi> guess(String kind, URI url) {
    return named(kind).or(() -> Optional.ofNullable(url.getHost()).flatMap(GitApi::named));
  }

  private static Optional<GitApi> named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (GitApi api : values()) {
      if (api.names.stream().anyMatch(lower::contains)) {
        return Optional.of(api);
      }
    }
    return Optional.empty();
  }

  /** Where it is at a host with that address, unless the host says otherwise. */
  URI at(URI host) {
    return this == GITHUB && GITHUB_COM.equals(host.getHost())
        ? URI.create("https://api.github.com")
        : URI.create(host + path);
  }
}
