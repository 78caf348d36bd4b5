package dev.slipway.runlog;

/**
 * An entry and its place.
 *
 * @param seq 1 for the first entry of a log, growing by one; a line that stands for left out ones
 *     has the number of the last of them
 */
public record StoredEntry(long seq, LogEntry entry) {}
