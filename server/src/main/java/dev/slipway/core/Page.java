package dev.slipway.core;

import java.util.List;
import java.util.Optional;

/**
 * One page of a list, newest first.
 *
 * @param nextCursor opaque; absent on the last page
 */
public record Page<T>(List<T> items, Optional<String> nextCursor) {}
