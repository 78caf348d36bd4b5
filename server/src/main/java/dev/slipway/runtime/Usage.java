package dev.slipway.runtime;

/**
 * What an instance takes.
 *
 * @param cpuNanos of processors, since its start; what its processes that are gone had taken may be
 *     missing
 * @param memoryBytes at this moment
 */
public record Usage(long cpuNanos, long memoryBytes) {}
