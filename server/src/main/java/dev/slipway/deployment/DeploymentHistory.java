package dev.slipway.deployment;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What was deployed, as lists of many projects or deployments show it. Thread-safe. */
public final class DeploymentHistory {
  private final Database database;
  private final HistoryStore store = new HistoryStore();

  DeploymentHistory(Database database) {
    this.database = database;
  }

  /**
   * A deployment with what its project and its release are.
   *
   * @param projectName the project's name, also of one that is deleted
   * @param kept whether that is there, so that it can go into production again
   * @param site whether files answer for it, and no program; false where it is not kept
   */
  public record Entry(
      Deployment deployment,
      String projectName,
      boolean projectDeleted,
      boolean kept,
      boolean site) {
    /** Whether a rollback to it is possible. */
    public boolean restorable() {
      return kept && !projectDeleted && deployment.status().served();
    }
  }

  /** The newest deployment of each of these projects; without those that have none. */
  public Map<ProjectId, Entry> latest(AccountId account, Collection<ProjectId> projects) {
    return by(
        projects.isEmpty() ? List.of() : database.read(tx -> store.latest(tx, account, projects)),
        it -> it.deployment().projectId());
  }

  /** Those of these deployments that are the account's. */
  public Map<DeploymentId, Entry> of(AccountId account, Collection<DeploymentId> ids) {
    return by(
        ids.isEmpty() ? List.of() : database.read(tx -> store.ofIds(tx, account, ids)),
        it -> it.deployment().id());
  }

  private static <K> Map<K, Entry> by(List<Entry> entries, Function<Entry, K> key) {
    return entries.stream().collect(Collectors.toUnmodifiableMap(key, Function.identity()));
  }
}
