package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.edge.EdgeServer;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Puts a preview that was woken back to sleep when nobody has asked for it for a while, and sooner
 * where too many of its project are awake: the one that was used longest ago goes first.
 */
final class SleepJob implements Job {
  static final Kind KIND = new Kind("sleep", Queue.CHORES);

  private final Database database;
  private final Records records;
  private final Instances instances;
  private final EdgeServer edge;
  private final Retirement retirement;
  private final PreviewLimits limits;

  SleepJob(
      Database database,
      Records records,
      Instances instances,
      EdgeServer edge,
      Retirement retirement,
      PreviewLimits limits) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.edge = edge;
    this.retirement = retirement;
    this.limits = limits;
  }

  /** For an instance that was woken; it does nothing for one that serves production. */
  static void schedule(Handle tx, DeploymentId id, Instant now) {
    // It may wait for its time since an earlier waking, and now there may be too many awake.
    Jobs.withdraw(tx, KIND, id.value());
    Jobs.schedule(tx, KIND, id.value(), now);
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    DeploymentId id = new DeploymentId(subjectId);
    ProjectId project =
        database.read(tx -> records.deployments().find(tx, id)).orElseThrow().projectId();
    Map<DeploymentId, InstanceId> awake = instances.awakePreviews(project);
    if (awake.size() > limits.awake()) {
      retirement.retire(mostIdle(awake));
      return new Outcome.Again(Duration.ZERO);
    }
    Optional<InstanceId> own = Optional.ofNullable(awake.get(id));
    if (own.isEmpty()) {
      return Outcome.DONE;
    }
    Duration left = limits.idle().minus(edge.idle(own.get()));
    if (left.isPositive()) {
      return new Outcome.Again(left);
    }
    retirement.retire(id);
    // It may have been woken while it was being put to sleep: that asked for this job, which ran.
    return new Outcome.Again(Duration.ZERO);
  }

  private DeploymentId mostIdle(Map<DeploymentId, InstanceId> awake) {
    return Collections.max(
            awake.entrySet(), Comparator.comparing(entry -> edge.idle(entry.getValue())))
        .getKey();
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // It stays awake until the server starts again; nothing else depends on it.
  }
}
