package dev.slipway.api;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import java.util.Optional;

/** Whether the service can do its work: the answer of {@code /readyz}. */
public final class Readiness {
  private final Database database;

  public Readiness(Database database) {
    this.database = database;
  }

  /**
   * @param reason what is missing
   */
  record State(boolean ready, Optional<String> reason) {}

  State check() {
    try {
      database.read(tx -> tx.execute("SELECT 1"));
      return new State(true, Optional.empty());
    } catch (TransientException e) {
      return new State(false, Optional.of("the store does not answer"));
    }
  }
}
