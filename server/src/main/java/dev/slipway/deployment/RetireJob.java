package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;

/** After a deployment was replaced: its instances are retired. Its address wakes it again. */
final class RetireJob implements Job {
  static final Kind KIND = new Kind("retire", Queue.CHORES);

  private final Instances instances;
  private final Retirement retirement;

  RetireJob(Instances instances, Retirement retirement) {
    this.instances = instances;
    this.retirement = retirement;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    retirement.retire(new DeploymentId(subjectId));
    return Outcome.DONE;
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    instances.endAll(new DeploymentId(subjectId));
  }
}
