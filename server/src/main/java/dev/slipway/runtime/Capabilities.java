package dev.slipway.runtime;

/**
 * What an engine offers on this host.
 *
 * @param isolation in words for the operator, for example {@code own user, namespaces, cgroup v2}
 * @param memoryLimit whether an instance's memory is bounded by the kernel
 */
public record Capabilities(String isolation, boolean memoryLimit) {}
