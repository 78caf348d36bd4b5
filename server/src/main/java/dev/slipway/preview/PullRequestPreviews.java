package dev.slipway.preview;

import dev.slipway.db.Database;
import dev.slipway.deployment.DeploymentListener;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.Routes;
import dev.slipway.hook.PreviewReports;
import dev.slipway.hook.PullRequests;
import dev.slipway.job.Job;
import dev.slipway.project.ProjectAccess;
import dev.slipway.project.ProjectListener;
import dev.slipway.project.ProjectService;
import dev.slipway.project.ProjectStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The parts of this package, put together. */
public final class PullRequestPreviews {
  private final PreviewChanges changes;
  private final PreviewService service;
  private final PullRequests pullRequests;
  private final PreviewReports reports;
  private final PreviewFollower follower;
  private final List<Job> jobs;

  /**
   * What previews need of the other packages.
   *
   * @param idle how long nobody asks for one until it is stopped
   */
  public record Parts(
      Database database,
      ProjectStore projects,
      ProjectService projectService,
      DeploymentService deployments,
      Routes routes,
      Addresses addresses,
      Duration idle,
      Clock clock) {}

  public PullRequestPreviews(Parts parts) {
    PreviewStore store = new PreviewStore();
    changes =
        new PreviewChanges(
            store,
            parts.projects(),
            parts.projectService(),
            parts.deployments(),
            parts.idle(),
            parts.clock());
    service =
        new PreviewService(
            parts.database(),
            store,
            changes,
            new ProjectAccess(parts.projects()),
            parts.deployments(),
            parts.routes(),
            parts.addresses());
    pullRequests = new PullRequestRules(store, changes, parts.routes());
    reports = new PreviewReporter(store, parts.projects(), parts.addresses());
    follower = new PreviewFollower(store, changes);
    jobs = List.of(new ForgetJob(parts.database(), store));
  }

  /** Who is told of each move of a preview. */
  public void tell(PreviewListener listener) {
    changes.tell(listener);
  }

  public PreviewService service() {
    return service;
  }

  /** What takes pull requests. */
  public PullRequests pullRequests() {
    return pullRequests;
  }

  public PreviewReports reports() {
    return reports;
  }

  /** Who is to be told of what becomes of projects. */
  public ProjectListener projectListener() {
    return follower;
  }

  /** Who is to be told of what becomes of deployments. */
  public DeploymentListener deploymentListener() {
    return follower;
  }

  /** The durable work. */
  public List<Job> jobs() {
    return jobs;
  }
}
