package dev.slipway.deployment;

import java.time.Duration;

/**
 * How long previews run that were started by a request.
 *
 * @param awake how many of one project run at once
 * @param idle how long one runs after its last request
 */
public record PreviewLimits(int awake, Duration idle) {}
