package dev.slipway.dashboard;

/** A migration with its log. */
public record MigrationPage(MigrationState state, LogView log) {}
