package dev.slipway.source;

/**
 * A commit, resolved.
 *
 * @param sha 40 hex digits, lower case
 * @param message the first line of the commit's message
 */
public record Commit(String sha, String message) {}
