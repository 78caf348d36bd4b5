package dev.slipway.source.git;

import dev.slipway.core.Secret;
import dev.slipway.source.FetchCount;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where a host's repositories are, and what opens them.
 *
 * @param kind the value of the API field {@code source}, for example {@code github}
 * @param base {@code http}, {@code https} or {@code file}; a repository's address is {@code
 *     <base>/<owner>/<repo>.git}
 * @param token sent to this host alone, as the password of HTTP basic authentication
 */
public record GitHost(String kind, URI base, Optional<Secret> token) {
  private static final Set<String> SCHEMES = Set.of("http", "https", "file");
  private static final String SUFFIX = ".git";

  public GitHost {
    if (base.getScheme() == null || !SCHEMES.contains(base.getScheme())) {
      throw new IllegalArgumentException(
          "the address of the repository host %s must begin with http://, https:// or file:///"
              .formatted(kind));
    }
    if (base.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "the address of the repository host %s must not carry a login; set its token instead"
              .formatted(kind));
    }
  }

  /** The same host for those whom its token is not for. */
  public GitHost anonymous() {
    return new GitHost(kind, base, Optional.empty());
  }

  URI addressOf(RepoName repo) {
    return URI.create(folder() + repo + (repo.value().endsWith(SUFFIX) ? "" : SUFFIX));
  }

  /** What the addresses of all its repositories begin with; ends in a slash. */
  String folder() {
    return base.toString().replaceFirst("/*$", "/");
  }

  /**
   * @param count of what is downloaded
   */
  Origin open(RepoName repo, FetchCount count) {
    URI address = addressOf(repo);
    return isFolder()
        ? new FolderOrigin(Path.of(address), count)
        : new HttpOrigin(address, token, count);
  }

  boolean isFolder() {
    return base.getScheme().equals("file");
  }
}
