package dev.slipway.runtime;

import java.time.Instant;

/**
 * A piece of what a program has printed.
 *
 * @param from where it begins in all that the program ever printed, in bytes
 * @param at when the newest of it was printed, or later; says nothing of an empty piece
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Printed(long from, byte[] bytes, Instant at) {}
