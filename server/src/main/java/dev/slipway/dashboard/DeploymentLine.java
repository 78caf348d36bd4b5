package dev.slipway.dashboard;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentHistory;
import dev.slipway.deployment.Trigger;
import dev.slipway.source.Commit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A deployment in a list.
 *
 * @param project the project's name
 * @param deleted whether the project is gone, and this is there for its history alone
 * @param title the first line of its commit's message, or what is known instead
 * @param code what was deployed, also of a rollback to it
 * @param commit once known
 * @param database what its program gets the variables of
 * @param by who asked for it, or how
 * @param took from the wish until it was live or had failed
 * @param current whether it serves production now
 * @param restorable whether it can be rolled back to
 * @param pushed whether a push asked for it
 */
public record DeploymentLine(
    String id,
    String projectId,
    String project,
    boolean deleted,
    String title,
    String code,
    Badge state,
    Optional<String> branch,
    Optional<String> commit,
    Optional<String> database,
    String by,
    Instant at,
    Optional<Duration> took,
    boolean current,
    boolean restorable,
    boolean pushed) {

  static DeploymentLine of(DeploymentHistory.Entry entry, String by, boolean current) {
    Deployment deployment = entry.deployment();
    return new DeploymentLine(
        deployment.id().value(),
        deployment.projectId().value(),
        entry.projectName(),
        entry.projectDeleted(),
        title(deployment),
        code(deployment),
        state(deployment),
        deployment.code().branch(),
        deployment.code().commit().map(Commit::sha),
        deployment.database().map(DatabaseId::value),
        by,
        deployment.times().created(),
        took(deployment),
        current && !entry.projectDeleted(),
        entry.restorable() && !current,
        deployment.origin().trigger() == Trigger.PUSH);
  }

  /** Where it is looked at. */
  public String path() {
    return path(id);
  }

  static String path(String id) {
    return Site.BASE + "/deployments/" + id;
  }

  /** Where its project is. */
  public String projectPath() {
    return ProjectHead.path(projectId);
  }

  /** When it was live or had failed; until then when it was asked for. */
  public Instant end() {
    return took.map(at::plus).orElse(at);
  }

  /** The icon that says how it came about; empty where that is not worth one. */
  public String icon() {
    return pushed ? "push" : "";
  }

  static Badge state(Deployment deployment) {
    return Badge.of(
        deployment
            .failure()
            .map(Failure::code)
            .filter(it -> it == FailureCode.CANCELED || it == FailureCode.SUPERSEDED)
            .map(FailureCode::wireName)
            .orElseGet(deployment.status()::wireName));
  }

  private static String title(Deployment deployment) {
    String what = headline(deployment.code());
    return deployment.isRollback() ? "Roll back to “%s”".formatted(what) : what;
  }

  private static String code(Deployment deployment) {
    String what = headline(deployment.code());
    return deployment
        .code()
        .commit()
        .map(it -> "“%s” (%s)".formatted(what, Shown.commit(it.sha())))
        .orElse(what);
  }

  private static String headline(Deployment.Code code) {
    return code.commit()
        .map(it -> Shown.headline(it.message()))
        .or(() -> code.requestedSha().map(it -> "Commit " + Shown.commit(it)))
        .or(() -> code.branch().map(it -> "Head of " + it))
        .orElse("An archive");
  }

  private static Optional<Duration> took(Deployment deployment) {
    Deployment.Times times = deployment.times();
    return times.live().or(times::ended).map(end -> Duration.between(times.created(), end));
  }
}
