package dev.slipway.dashboard;

/**
 * A project that is named on another page.
 *
 * @param path of its own page
 */
public record ProjectLink(String path, String name) {}
