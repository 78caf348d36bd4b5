package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.FailureCode;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseServer;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.Dumps;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/** From a row to the server that its database is on. Thread-safe. */
final class Servers {
  private final Map<DatabaseType, DatabaseProvider> providers;
  private final DatabaseStore store;

  Servers(Map<DatabaseType, DatabaseProvider> providers, DatabaseStore store) {
    this.providers = Map.copyOf(providers);
    this.store = store;
  }

  DatabaseProvider provider(DatabaseType type) {
    return Optional.ofNullable(providers.get(type)).orElseThrow();
  }

  Dumps dumps(DatabaseType type) {
    return new MaskedDumps(provider(type).dumps());
  }

  /**
   * Where databases of that type are made.
   *
   * @throws AppFailure {@code DATABASE_UNREACHABLE}
   */
  DatabaseServer forNew(DatabaseType type) {
    return provider(type)
        .server()
        .orElseThrow(() ->
            unreachable(
                "No server makes databases of the type %s: connect one, or have the operator set databases.%1$s."
                    .formatted(type.wireName())));
  }

  /**
   * @throws AppFailure {@code DATABASE_UNREACHABLE} where it is not configured any more
   */
  DatabaseServer known(DatabaseType type, String id) {
    return provider(type)
        .server(id)
        .orElseThrow(() ->
            unreachable(
                "The server that the database is on is not configured any more: the operator has to set databases.%s as it was."
                    .formatted(type.wireName())));
  }

  /**
   * @throws AppFailure {@code DATABASE_UNREACHABLE} where the server is not configured any more
   */
  DatabaseLink link(Physical physical) {
    return new DatabaseLink(
        known(physical.type(), physical.server()).place(physical.name()), physical.login());
  }

  /**
   * How to log in to a database; empty where it is not there.
   *
   * @throws AppFailure {@code DATABASE_UNREACHABLE} where the server is not configured any more
   */
  Optional<DatabaseLink> link(Handle tx, DatabaseId id) {
    return store.physical(tx, id).map(this::link).or(() -> store.connected(tx, id));
  }

  /** Asks an operator's server something, which may be away for a moment: the job is run again. */
  static <T> T patiently(Supplier<T> asked) {
    try {
      return asked.get();
    } catch (AppFailure e) {
      if (e.failure().code() == FailureCode.DATABASE_UNREACHABLE) {
        throw new TransientException(e.failure().message(), e);
      }
      throw e;
    }
  }

  private static AppFailure unreachable(String sentence) {
    return new AppFailure(FailureCode.DATABASE_UNREACHABLE, sentence);
  }
}
