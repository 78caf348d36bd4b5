package dev.slipway.config;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The kinds of APIs that git hosts have. */
public enum GitApi {
  GITHUB("/api/v3", "github"),
  GITLAB("/api/v4", "gitlab"),
  /** Of Gitea and of Forgejo. */
  GITEA("/api/v1", "gitea|forgejo|codeberg");

  private static final String GITHUB_COM = "github.com";

  private final String path;
  private final String names;

  /**
   * @param names one of which stands in what hosts of the kind are called: a regular expression
   */
  GitApi(String path, String names) {
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
      if (Pattern.compile(api.names).matcher(lower).find()) {
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
