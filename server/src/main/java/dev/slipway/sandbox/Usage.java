package dev.slipway.sandbox;

/**
 * What a program takes.
 *
 * @param cpuNanos of all its processes until now; may fall where the host has no groups, by what
 *     those had taken that are gone
 * @param memoryBytes at this moment, without files that the kernel could drop
 */
public record Usage(long cpuNanos, long memoryBytes) {}
