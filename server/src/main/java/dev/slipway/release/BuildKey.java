package dev.slipway.release;

/**
 * What a release was made from: of two with the same key one is enough.
 *
 * @param source a digest of the commit and of what the user decided about the build
 * @param env a digest of the variables that could change the outcome
 */
public record BuildKey(String source, String env) {}
