/** PostgreSQL: an embedded cluster or the operator's server, and databases that are elsewhere. */
@org.jspecify.annotations.NullMarked
package dev.slipway.database.postgres;
