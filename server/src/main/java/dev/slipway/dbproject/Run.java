package dev.slipway.dbproject;

import dev.slipway.core.DatabaseId;
import java.time.Instant;
import java.util.Optional;

/**
 * One run of a job. It may be overtaken, by another run or by something else that was asked for:
 * then it holds the row no more, and changes nothing.
 *
 * @param attempt no other run of this database has the same
 * @param changedAt when an earlier run of it changed what programs get
 */
record Run(DatabaseProject project, int attempt, Optional<Instant> changedAt) {
  DatabaseId id() {
    return project.id();
  }
}
