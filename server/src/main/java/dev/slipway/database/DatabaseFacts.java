package dev.slipway.database;

/**
 * What a server says of one database.
 *
 * @param connections that are open now
 * @param version of the server, for people: {@code PostgreSQL 18.6}
 */
public record DatabaseFacts(long sizeBytes, int connections, String version) {}
