package dev.slipway.dashboard;

import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * What a migration has come to: the part of its page that changes while it is under way.
 *
 * @param name of the project
 * @param project the path of the project's pages; absent where it is deleted
 * @param url the project's production address
 * @param source the repository, or that it is an archive
 * @param took from its beginning to its end
 * @param deployment the path of its first deployment; absent while it is pending
 * @param shape changes whenever this would be shown otherwise
 */
public record MigrationState(
    String id,
    Badge badge,
    boolean open,
    boolean pending,
    String name,
    Optional<String> project,
    String url,
    String source,
    Optional<String> branch,
    Instant at,
    Optional<String> took,
    Optional<Cause> cause,
    Optional<String> deployment,
    StepList steps,
    String shape) {
  public String path() {
    return path(id);
  }

  static String path(String id) {
    return Site.BASE + "/migrations/" + id;
  }

  /** Whether its project serves. */
  public boolean isDone() {
    return !open && cause.isEmpty();
  }

  public String host() {
    return URI.create(url).getAuthority();
  }

  /** Where it is asked for anew. */
  public String poll() {
    return "%s/state?seen=%s".formatted(path(), shape);
  }
}
