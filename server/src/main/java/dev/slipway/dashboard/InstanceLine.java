package dev.slipway.dashboard;

import dev.slipway.instance.Running;
import java.time.Instant;
import java.util.Optional;

/**
 * An instance in the list of those that run.
 *
 * @param memory for people; where it can be told
 */
public record InstanceLine(String id, Badge state, Instant startedAt, Optional<String> memory) {
  static InstanceLine of(Running running) {
    return new InstanceLine(
        running.id().value(),
        switch (running.state()) {
          case STARTING -> new Badge("run", "Starting");
          case HEALTHY -> new Badge("ok", "Healthy");
          case STOPPING -> new Badge("off", "Stopping");
        },
        running.startedAt(),
        running.memoryBytes().map(Shown::mebibytes));
  }
}
