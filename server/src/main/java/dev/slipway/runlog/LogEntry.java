package dev.slipway.runlog;

import java.time.Instant;

/** One line of a run log. */
public record LogEntry(Instant timestamp, LogLevel level, String message) {}
