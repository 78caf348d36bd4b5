package dev.slipway.metric;

/**
 * What the instances of one project took in a stretch of time, on one worker's host.
 *
 * @param instances the most that ran at one moment
 * @param memoryBytes the most of all of them together at one moment
 */
record UseWindow(Window.Place place, long instances, long cpuNanos, long memoryBytes) {
  UseWindow plus(UseWindow other) {
    return new UseWindow(
        place,
        Math.max(instances, other.instances),
        cpuNanos + other.cpuNanos,
        Math.max(memoryBytes, other.memoryBytes));
  }
}
