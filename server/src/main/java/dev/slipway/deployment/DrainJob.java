package dev.slipway.deployment;

import dev.slipway.core.InstanceId;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;
import java.util.Set;

/** After an instance was taken out of the routes: it answers its last requests and is ended. */
final class DrainJob implements Job {
  static final Kind KIND = new Kind("drain", Queue.CHORES);

  private final Instances instances;
  private final Retirement retirement;

  DrainJob(Instances instances, Retirement retirement) {
    this.instances = instances;
    this.retirement = retirement;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    retirement.drain(Set.of(new InstanceId(subjectId)));
    return Outcome.DONE;
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    instances.end(new InstanceId(subjectId));
  }
}
