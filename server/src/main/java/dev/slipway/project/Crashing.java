package dev.slipway.project;

import dev.slipway.core.Failure;
import java.time.Instant;

/** What serves a project crashes again and again, and is tried again now and then. */
public record Crashing(Instant since, Failure failure) {}
