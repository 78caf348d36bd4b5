package dev.slipway.dbproject;

import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseType;
import java.util.Optional;

/** The database that a migration asks for. */
public sealed interface DatabaseWish {
  DatabaseType type();

  /**
   * A new one.
   *
   * @param importFrom what is copied into it first
   */
  record Create(DatabaseType type, Optional<DatabaseLink> importFrom) implements DatabaseWish {}

  /** One that exists elsewhere. */
  record Connect(DatabaseLink link) implements DatabaseWish {
    @Override
    public DatabaseType type() {
      return link.place().type();
    }
  }
}
