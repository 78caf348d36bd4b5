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
 * @param variables stands for their values: another one where those have changed that are not the
 *     deployment's own
 * @param healthCheckPath what it must answer, beginning with a slash
 */
public record Launch(
    DeploymentId deployment,
    ReleaseId release,
    Serving.Program program,
    InstanceSpec.Tools tools,
    EnvVars env,
    String variables,
    Limits limits,
    String healthCheckPath) {}
