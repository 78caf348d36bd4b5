package dev.slipway.runlog;

/**
 * An entry and its place.
 *
 * @param seq 1 for the first entry of a log, growing by one
 */
public record StoredEntry(long seq, LogEntry entry) {}
