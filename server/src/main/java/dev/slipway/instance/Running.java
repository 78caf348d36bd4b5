package dev.slipway.instance;

import dev.slipway.core.InstanceId;
import java.time.Instant;
import java.util.Optional;

/**
 * An instance as it is now.
 *
 * @param memoryBytes where the engine can tell
 */
public record Running(
    InstanceId id, InstanceState state, Instant startedAt, Optional<Long> memoryBytes) {}
