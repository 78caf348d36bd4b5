package dev.slipway.core;

/**
 * How a migration or deployment ended when it did not go live.
 *
 * @param message one sentence for the user: what was wrong and what to change
 */
public record Failure(FailureCode code, String message) {}
