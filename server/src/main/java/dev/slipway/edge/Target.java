package dev.slipway.edge;

import dev.slipway.core.InstanceId;

/** An instance that takes requests, and where. */
public record Target(InstanceId instance, String host, int port) {}
