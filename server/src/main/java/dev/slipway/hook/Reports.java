package dev.slipway.hook;

import dev.slipway.core.PreviewId;
import dev.slipway.db.Database;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentListener;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.Trigger;
import dev.slipway.edge.Addresses;
import dev.slipway.hook.host.GitHostApis;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.project.ProjectStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Has git hosts told what becomes of pushes and previews: asked for in the transaction of each
 * move, said by a job. Thread-safe.
 */
public final class Reports implements DeploymentListener {
  private final Database database;
  private final GitHostApis hosts;
  private final ProjectStore projects;
  private final List<Topic> topics = new ArrayList<>();
  private final Clock clock;

  /**
   * @param hosts which are told
   */
  public Reports(
      Database database,
      GitHostApis hosts,
      ProjectStore projects,
      DeploymentService deployments,
      Addresses addresses,
      Clock clock) {
    this.database = database;
    this.hosts = hosts;
    this.projects = projects;
    this.clock = clock;
    this.topics.add(new PushedDeployments(deployments, projects, addresses));
  }

  /** Previews are told about too; before {@link #job} is asked for. */
  public void tellOf(PreviewReports previews) {
    topics.add(new PreviewedPullRequests(previews, projects));
  }

  /** What tells them. */
  public Job job() {
    return new ReportJob(database, hosts, topics, clock);
  }

  @Override
  public void moved(Handle tx, Deployment deployment) {
    if (deployment.origin().trigger() == Trigger.PUSH) {
      ask(tx, deployment.id().value());
    }
  }

  /** A preview has changed. */
  public void previewMoved(Handle tx, PreviewId id) {
    ask(tx, id.value());
  }

  private void ask(Handle tx, String id) {
    if (!hosts.isEmpty()) {
      Wish wish = new Wish(id, clock.instant());
      Jobs.schedule(tx, ReportJob.KIND, wish.subject(), wish.since());
    }
  }
}
