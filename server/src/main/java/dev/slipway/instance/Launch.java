package dev.slipway.instance;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Limits;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.runtime.InstanceSpec;

/**
 * What to run for a deployment.
 *
 * @param env all variables of the program save {@code PORT}
 * @param healthCheckPath what it must answer, beginning with a slash
 */
public record Launch(
    DeploymentId deployment,
    ReleaseId release,
    Serving.Program program,
    InstanceSpec.Tools tools,
    EnvVars env,
    Limits limits,
    String healthCheckPath) {}
