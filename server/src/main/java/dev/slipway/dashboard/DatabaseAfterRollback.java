package dev.slipway.dashboard;

import java.util.Optional;

/**
 * What a rollback means for a project's data: it takes the database of its target, which need not
 * be the one in use now.
 */
public final class DatabaseAfterRollback {
  private DatabaseAfterRollback() {}

  /**
   * As a sentence.
   *
   * @param serving what serves the project until then
   */
  public static String sentence(DeploymentLine target, Optional<DeploymentLine> serving) {
    Optional<String> then = target.database();
    Optional<String> now = serving.flatMap(DeploymentLine::database);
    if (then.equals(now)) {
      return then.map(it -> "It uses the same database, %s; its rows stay.".formatted(Shown.id(it)))
          .orElse("Neither of the two has a database here.");
    }
    if (then.isEmpty()) {
      return "It has no database: what serves now uses %s, whose rows stay and are not seen by it."
          .formatted(now.map(Shown::id).orElseThrow());
    }
    String back = "It goes back to the database %s".formatted(Shown.id(then.get()));
    return now.map(it -> "%s; what was written to %s is not in it.".formatted(back, Shown.id(it)))
        .orElse(back + ", as that is now.");
  }
}
