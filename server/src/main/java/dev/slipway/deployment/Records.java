package dev.slipway.deployment;

import dev.slipway.core.Serving;
import dev.slipway.project.CrashingStore;
import dev.slipway.project.ProjectStore;
import dev.slipway.project.RestartStore;
import dev.slipway.release.ReleaseRecordStore;
import org.jdbi.v3.core.Handle;

/** The rows that a deployment touches, in one hand. */
public record Records(
    DeploymentStore deployments,
    StepStore steps,
    ProjectStore projects,
    RestartStore restarts,
    CrashingStore crashing,
    ReleaseRecordStore releases) {

  /** Whether files answer for a deployment, and there is no program to start. */
  boolean isSite(Handle tx, Deployment deployment) {
    return deployment
        .releaseId()
        .flatMap(id -> releases.findKept(tx, id))
        .filter(release -> release.serving() instanceof Serving.Site)
        .isPresent();
  }
}
