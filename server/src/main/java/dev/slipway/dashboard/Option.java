package dev.slipway.dashboard;

/** One of the entries of a field to choose from. */
public record Option(String value, String text) {}
