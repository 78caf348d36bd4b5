package dev.slipway.deployment;

import dev.slipway.project.ProjectStore;
import dev.slipway.release.ReleaseRecordStore;

/** The rows that a deployment touches, in one hand. */
public record Records(
    DeploymentStore deployments,
    StepStore steps,
    ProjectStore projects,
    ReleaseRecordStore releases) {}
