package dev.slipway.plantstore;

/**
 * The plant store's own error shape, flat where the main API's is not.
 *
 * @param error the HTTP status
 */
record PlantError(int error, String message) {}
