package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Traffic;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
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
  private final Traffic traffic;
  private final Routes routes;
  private final PreviewLimits limits;
  private final Clock clock;

  SleepJob(
      Database database,
      Records records,
      Instances instances,
      Traffic traffic,
      Routes routes,
      PreviewLimits limits,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.traffic = traffic;
    this.routes = routes;
    this.limits = limits;
    this.clock = clock;
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
  public Outcome run(String subjectId) {
    DeploymentId id = new DeploymentId(subjectId);
    ProjectId project =
        database.read(tx -> records.deployments().find(tx, id)).orElseThrow().projectId();
    Map<DeploymentId, InstanceId> awake = instances.awakePreviews(project);
    if (awake.size() > limits.awake()) {
      putToSleep(mostIdle(awake));
      return new Outcome.Again(Duration.ZERO);
    }
    Optional<InstanceId> own = Optional.ofNullable(awake.get(id));
    if (own.isEmpty()) {
      return Outcome.DONE;
    }
    Duration left = limits.idle().minus(traffic.idle(List.of(own.get())).get(own.get()));
    if (left.isPositive()) {
      return new Outcome.Again(left);
    }
    putToSleep(id);
    // It may have been woken while it was being put to sleep: that asked for this job, which ran.
    return new Outcome.Again(Duration.ZERO);
  }

  /** What ends it is written with it: a later run of this job would not find it any more. */
  private void putToSleep(DeploymentId id) {
    routes.changing(tx -> {
      List<InstanceId> withdrawn = instances.withdraw(tx, id);
      withdrawn.forEach(it -> Jobs.schedule(tx, DrainJob.KIND, it.value(), clock.instant()));
      return withdrawn;
    });
  }

  private DeploymentId mostIdle(Map<DeploymentId, InstanceId> awake) {
    Map<InstanceId, Duration> idle = traffic.idle(awake.values());
    return Collections.max(
            awake.entrySet(), Comparator.comparing(entry -> idle.get(entry.getValue())))
        .getKey();
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // It stays awake until the server starts again; nothing else depends on it.
  }
}
