/** PostgreSQL: the server that applications get databases on, and how these are copied. */
@org.jspecify.annotations.NullMarked
package dev.slipway.database.postgres;
