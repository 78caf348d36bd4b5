package dev.slipway.runtime;

import dev.slipway.core.InstanceId;

/** Where an instance that runs can be reached. */
public record RunningInstance(InstanceId id, String host, int port) {}
