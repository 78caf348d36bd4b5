package dev.slipway.source;

import java.nio.file.Path;

/**
 * How much of the disk one fetch may take.
 *
 * @param scratch a directory, made where it is missing, on the disk that checkouts are written to:
 *     for what is only looked into. What a killed server left there is deleted at its next start
 * @param maxBytes of all that is downloaded and written
 * @param minFreeBytes that the disk must have left
 */
public record FetchLimit(Path scratch, long maxBytes, long minFreeBytes) {}
