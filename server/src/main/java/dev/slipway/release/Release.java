package dev.slipway.release;

import dev.slipway.core.ReleaseId;

/**
 * A release that was packed.
 *
 * @param files regular files and links
 * @param bytes what its files hold together, shared ones counted in full
 */
public record Release(ReleaseId id, int files, long bytes) {}
