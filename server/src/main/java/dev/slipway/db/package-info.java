/** The store: PostgreSQL started by us or given, its pool, its notifications, its schema. */
@org.jspecify.annotations.NullMarked
package dev.slipway.db;
