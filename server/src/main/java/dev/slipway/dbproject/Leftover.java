package dev.slipway.dbproject;

import dev.slipway.core.DatabaseId;
import dev.slipway.database.DatabaseType;

/**
 * Something on a server that belongs to no database project, or perhaps not yet, or perhaps no
 * more.
 *
 * @param login empty: the database of that name with all its logins
 */
record Leftover(
    DatabaseId owner, DatabaseType type, String server, String name, String login, State state) {
  enum State {
    /** A run is making it, and may put it to use. */
    MADE,
    /** Something else was put in its place; programs may still use it. */
    REPLACED,
    /** It is to be dropped. */
    DOOMED
  }

  /** All of a database. */
  static Leftover of(DatabaseId owner, Physical physical, State state) {
    return new Leftover(owner, physical.type(), physical.server(), physical.name(), "", state);
  }

  /** The login alone. */
  static Leftover login(DatabaseId owner, Physical physical, State state) {
    return new Leftover(
        owner, physical.type(), physical.server(), physical.name(), physical.login().user(), state);
  }

  Leftover doomed() {
    return new Leftover(owner, type, server, name, login, State.DOOMED);
  }
}
