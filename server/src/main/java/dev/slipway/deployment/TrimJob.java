package dev.slipway.deployment;

import dev.slipway.build.BuildPipeline;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bounds what builds leave for later ones. After each build, but nobody waits for it. */
final class TrimJob implements Job {
  static final Kind KIND = new Kind("trim", Queue.CHORES);

  /** There is one for all. */
  private static final String SUBJECT = "caches";

  private static final Logger log = LoggerFactory.getLogger(TrimJob.class);

  private final BuildPipeline pipeline;

  TrimJob(BuildPipeline pipeline) {
    this.pipeline = pipeline;
  }

  static void schedule(Handle tx, Instant now) {
    Jobs.schedule(tx, KIND, SUBJECT, now);
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    pipeline.trimCaches();
    return Outcome.DONE;
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // Nothing is lost: the next build asks again.
    log.warn("the caches of builds were not trimmed: {}", cause.toString());
  }
}
