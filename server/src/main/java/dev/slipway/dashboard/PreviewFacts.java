package dev.slipway.dashboard;

import dev.slipway.core.FailureCode;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * The preview of a pull request as the API tells of it.
 *
 * @param number of the pull request
 * @param webUrl the page of the pull request
 * @param url where it answers, from its first time live until it is removed
 * @param updatedAt when it was last asked to be deployed, or was removed
 */
public record PreviewFacts(
    String id,
    String projectId,
    int number,
    String title,
    String author,
    String branch,
    String repo,
    boolean fork,
    String commitSha,
    Optional<String> commitMessage,
    String status,
    Optional<String> url,
    String webUrl,
    Optional<Failed> error,
    Optional<String> framework,
    Instant createdAt,
    Instant updatedAt,
    Optional<Instant> removedAt) {

  /** Why its newest build failed. */
  public record Failed(String code, String message) {
    public Remedy remedy() {
      return Remedy.of(FailureCode.ofWireName(code));
    }

    /** That it was ended by somebody's wish, and nothing is wrong. */
    public boolean isMeant() {
      return Cause.isMeant(FailureCode.ofWireName(code));
    }
  }

  static String path(String project, String id) {
    return "%s/%s".formatted(PreviewsPage.path(project), id);
  }

  public String path() {
    return path(projectId, id);
  }

  /** By its number and title. */
  public String name() {
    return "#%d %s".formatted(number, title);
  }

  public Badge state() {
    return Badge.of(error.filter(it -> it.isMeant()).map(Failed::code).orElse(status));
  }

  public boolean isRemoved() {
    return removedAt.isPresent();
  }

  /** Whether its page may be linked to; whatever else a stranger has written there may not. */
  public boolean isLinked() {
    return webUrl.startsWith("https://") || webUrl.startsWith("http://");
  }

  /** Whether its state will be another one soon. */
  public boolean isOpen() {
    return !isRemoved() && state().isUnderWay();
  }

  /** The address without its scheme; empty where it does not answer. */
  public String host() {
    return url.map(it -> URI.create(it).getAuthority()).orElse("");
  }

  /** Where its branch is, where that is not the project's repository. */
  public Optional<String> from() {
    return fork ? Optional.of(repo) : Optional.empty();
  }
}
