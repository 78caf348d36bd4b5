package dev.slipway.deployment;

import dev.slipway.project.ProjectStore;
import dev.slipway.project.RestartStore;
import dev.slipway.release.ReleaseRecordStore;

/** The rows that a deployment touches, in one hand. */
public record Records(
    DeploymentStore deployments,
    StepStore steps,
    ProjectStore projects,
    RestartStore restarts,
    ReleaseRecordStore releases) {}
