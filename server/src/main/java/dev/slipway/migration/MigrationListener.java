package dev.slipway.migration;

import dev.slipway.project.Project;
import org.jdbi.v3.core.Handle;

/** Told of what happens to migrations in the very transaction in which it does. */
public interface MigrationListener {
  /** The project of a new migration is there. */
  void created(Handle tx, Project project);

  /**
   * It waits for a slot, or has moved on.
   *
   * @param migration as it is now
   */
  void moved(Handle tx, Migration migration);
}
