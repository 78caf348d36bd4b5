package dev.slipway.metric;

import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;

/**
 * What one running instance takes at one moment.
 *
 * @param cpuNanos since its start
 */
public record Use(ProjectId project, InstanceId instance, long cpuNanos, long memoryBytes) {}
