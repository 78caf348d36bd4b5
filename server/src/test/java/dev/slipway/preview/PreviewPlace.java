package dev.slipway.preview;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.hook.PullRequest;
import dev.slipway.hook.Reaction;
import dev.slipway.project.EnvScope;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectStore;
import dev.slipway.project.Settings;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A project of a {@link Plane} and what happens to its pull requests.
 *
 * @param project which deploys its branch {@code main}
 */
public record PreviewPlace(Plane plane, Project project) {
  public static final String FIRST = "1".repeat(40);
  public static final String SECOND = "2".repeat(40);

  /** Of a branch of the project's own repository, into its main branch. */
  public PullRequest pullRequest(int number, PullRequest.Action action, String sha) {
    return new PullRequest(
        number,
        "A cart",
        action,
        project.repo(),
        "cart",
        sha,
        "main",
        false,
        "ada",
        URI.create("https://git.example.org/acme/shop/pulls/" + number));
  }

  public static PullRequest into(String base, PullRequest from) {
    return new PullRequest(
        from.number(),
        from.title(),
        from.action(),
        from.headRepo(),
        from.headBranch(),
        from.headSha(),
        base,
        from.fork(),
        from.author(),
        from.webUrl());
  }

  public static PullRequest ofFork(PullRequest from) {
    return new PullRequest(
        from.number(),
        from.title(),
        from.action(),
        Optional.of(new RepoName("mallory/shop")),
        from.headBranch(),
        from.headSha(),
        from.baseBranch(),
        true,
        "mallory",
        from.webUrl());
  }

  /** Tells of a pull request, as a hook does. */
  public Reaction take(PullRequest pullRequest) {
    plane.clock.advance(Duration.ofSeconds(1));
    Reaction reaction =
        plane.database.inTransaction(tx ->
            plane
                .main
                .previews
                .pullRequests()
                .take(tx, new ProjectStore(plane.vault).lock(tx, project.id()), pullRequest));
    plane.main.routes.refresh(); // as the notification has it
    return reaction;
  }

  /** The preview of a pull request that was just opened; its deployment is queued. */
  public PreviewId opened(int number) {
    return take(pullRequest(number, PullRequest.Action.OPENED, FIRST)).preview().orElseThrow();
  }

  /** The same, and everything that follows from it. */
  public Preview live(int number) {
    PreviewId id = opened(number);
    plane.main.jobs.runDue();
    return read(id);
  }

  public Reaction updated(int number, String sha) {
    return take(pullRequest(number, PullRequest.Action.UPDATED, sha));
  }

  public Reaction closed(int number) {
    return take(pullRequest(number, PullRequest.Action.CLOSED, FIRST));
  }

  public Preview read(PreviewId id) {
    return service().get(plane.account, project.id(), id).preview();
  }

  public Deployment newest(Preview preview) {
    return plane.read(preview.newest().orElseThrow().id());
  }

  /** Those of the preview, the newest first. */
  public List<Deployment> deployments(Preview preview) {
    return plane
        .database
        .read(tx ->
            tx.createQuery("SELECT id FROM deployment WHERE project_id = ? ORDER BY id DESC")
                .bind(0, preview.own().orElseThrow().value())
                .mapTo(String.class)
                .list())
        .stream()
        .map(id -> plane.read(new DeploymentId(id)))
        .toList();
  }

  /** The row behind it. */
  public Project behind(Preview preview) {
    return row(preview.own().orElseThrow());
  }

  private Project row(ProjectId id) {
    return plane.database.read(tx -> new ProjectStore(plane.vault).find(tx, id)).orElseThrow();
  }

  public PreviewService service() {
    return plane.main.previews.service();
  }

  public void env(EnvScope scope, Map<String, String> env) {
    plane.main.projects.changeEnv(plane.account, project.id(), scope, _ -> new EnvVars(env));
  }

  public void set(Previews previews, boolean forks) {
    plane.main.projects.change(
        plane.account,
        project.id(),
        Optional.empty(),
        old ->
            new Settings(
                old.branch(),
                old.instanceType(),
                old.instances(),
                old.autoDeploy(),
                previews,
                forks,
                old.sleepAfter(),
                old.database(),
                old.overrides()));
  }
}
