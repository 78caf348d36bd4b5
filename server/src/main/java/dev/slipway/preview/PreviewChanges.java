package dev.slipway.preview;

import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.Wanted;
import dev.slipway.job.Jobs;
import dev.slipway.project.Label;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectService;
import dev.slipway.project.ProjectStore;
import dev.slipway.project.Settings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/**
 * Makes previews, brings them up to date and removes them. Every call runs in the caller's
 * transaction, which holds the row of the project whose pull request it is: of two at once, each
 * sees what the other has done.
 */
final class PreviewChanges {
  private final PreviewStore store;
  private final ProjectStore projects;
  private final ProjectService projectService;
  private final DeploymentService deployments;
  private final Duration idle;
  private final Clock clock;
  private final List<PreviewListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * @param idle how long nobody asks for a preview until it is stopped, for the next one to start
   */
  PreviewChanges(
      PreviewStore store,
      ProjectStore projects,
      ProjectService projectService,
      DeploymentService deployments,
      Duration idle,
      Clock clock) {
    this.store = store;
    this.projects = projects;
    this.projectService = projectService;
    this.deployments = deployments;
    this.idle = idle;
    this.clock = clock;
  }

  void tell(PreviewListener listener) {
    listeners.add(listener);
  }

  void moved(Handle tx, PreviewId id) {
    listeners.forEach(listener -> listener.moved(tx, id));
  }

  /** A new preview; its first deployment is queued. */
  PreviewId make(Handle tx, Project project, Head head) {
    Instant now = clock.instant();
    Project own =
        Project.behindPreview(
            project,
            name(project, head),
            Label.ofPullRequest(project.label(), head.number()),
            head.repo(),
            settings(project, head),
            now);
    if (!projects.insert(tx, own, projects.previewEnv(tx, project.id()))) {
      throw new IllegalStateException("80 random bits came twice: " + own.label());
    }
    PreviewId id = PreviewId.next();
    store.insert(tx, id, project.id(), own.id(), head, now);
    deploy(tx, own.id(), head, false);
    return id;
  }

  /** Deploys other commits of its pull request, as its project is set up by now. */
  void update(Handle tx, Project project, Preview preview, Head head) {
    store.setHead(tx, preview.id(), head, clock.instant());
    deployAnew(tx, project, preview, head, false);
  }

  /** Builds its commit again, as its project is set up by now. */
  void rebuild(Handle tx, Project project, Preview preview) {
    store.touch(tx, preview.id(), clock.instant());
    deployAnew(tx, project, preview, preview.head(), true);
  }

  private void deployAnew(Handle tx, Project project, Preview preview, Head head, boolean rebuild) {
    ProjectId own = preview.own().orElseThrow();
    projects.lock(tx, own);
    Instant now = clock.instant();
    projects.change(tx, own, name(project, head), settings(project, head), now);
    projects.setHead(tx, own, head.repo());
    projects.setEnv(tx, own, projects.previewEnv(tx, project.id()), now);
    deploy(tx, own, head, rebuild);
  }

  private void deploy(Handle tx, ProjectId own, Head head, boolean rebuild) {
    deployments.preview(
        tx,
        projects.find(tx, own).orElseThrow(),
        new Wanted(Optional.of(head.commitSha()), Optional.empty(), rebuild));
  }

  private static String name(Project project, Head head) {
    return "%s, pull request %d".formatted(project.name(), head.number());
  }

  /** Those of its project that say how it is built; no database, and nothing of production's. */
  private Settings settings(Project project, Head head) {
    return new Settings(
        Optional.of(head.branch()),
        project.settings().instanceType(),
        1,
        false,
        Previews.OFF,
        false,
        Optional.of(idle),
        Optional.empty(),
        project.settings().overrides());
  }

  /**
   * Its address answers no more once the routes are read again, which is the caller's to see to.
   * Does nothing where it is removed.
   */
  void remove(Handle tx, Preview preview) {
    Instant now = clock.instant();
    if (!store.remove(tx, preview.id(), now)) {
      return;
    }
    projectService.deletePreview(tx, preview.own().orElseThrow());
    Jobs.schedule(tx, ForgetJob.KIND, preview.id().value(), now.plus(ForgetJob.KEPT));
    moved(tx, preview.id());
  }
}
