package dev.slipway.api;

import dev.slipway.core.DatabaseId;
import dev.slipway.database.DatabaseType;

/**
 * The database of a project or migration.
 *
 * @param projectId of the database itself, which the specification calls a database project
 */
record DatabaseReferenceView(String type, String projectId) {
  static DatabaseReferenceView of(DatabaseType type, DatabaseId id) {
    return new DatabaseReferenceView(type.wireName(), id.value());
  }
}
