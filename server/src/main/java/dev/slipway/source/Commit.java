package dev.slipway.source;

/**
 * A commit, resolved, or an archive.
 *
 * @param sha hex digits, lower case: 40 of a commit, of an archive the 64 of its SHA-256
 * @param message the first line of the commit's message; the name of an archive's file
 */
public record Commit(String sha, String message) {}
