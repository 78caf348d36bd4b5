package dev.slipway.core;

/**
 * What a program may use.
 *
 * @param memoryMb MiB of memory, hard
 * @param cpus weight against its neighbours where processors are short; idle ones may be used
 * @param processes processes and threads together, hard
 */
public record Limits(int memoryMb, double cpus, int processes) {}
