package dev.slipway.instance;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import java.time.Instant;

/**
 * A running copy of a deployment's release; its row is written before it is started.
 *
 * @param variables stands for those that it was started with, {@link Launch#variables}
 * @param port leased: no other instance on its host has it
 */
record Instance(
    InstanceId id,
    DeploymentId deploymentId,
    String variables,
    int port,
    InstanceState state,
    Instant createdAt) {}
