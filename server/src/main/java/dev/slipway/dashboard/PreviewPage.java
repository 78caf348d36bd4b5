package dev.slipway.dashboard;

import java.util.Optional;

/**
 * A preview with the log of its newest build.
 *
 * @param log absent where it is not kept any more
 */
public record PreviewPage(PreviewState state, Optional<LogView> log) {}
