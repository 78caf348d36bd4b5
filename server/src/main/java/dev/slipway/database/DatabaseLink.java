package dev.slipway.database;

/** A database and who logs in to it: all that an application needs. */
public record DatabaseLink(DatabasePlace place, DatabaseLogin login) {}
