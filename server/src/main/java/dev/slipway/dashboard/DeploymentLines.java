package dev.slipway.dashboard;

import dev.slipway.core.DeploymentId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentHistory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes lines of lists of deployments: with who asked for each, of all at once. */
final class DeploymentLines {
  private final DeploymentHistory history;
  private final AskedBy askedBy;

  DeploymentLines(DeploymentHistory history, AskedBy askedBy) {
    this.history = history;
    this.askedBy = askedBy;
  }

  /** One of a list that the API answers; the rest of it is read at once for all. */
  record Named(String id, boolean current) {}

  /** Those that the API names, in its order. */
  List<DeploymentLine> of(Visit visit, List<Named> named) {
    Map<DeploymentId, DeploymentHistory.Entry> found =
        history.of(
            visit.who().account().id(),
            named.stream().map(it -> new DeploymentId(it.id())).toList());
    return of(
        visit,
        named.stream()
            .flatMap(it -> Optional.ofNullable(found.get(new DeploymentId(it.id()))).stream())
            .toList(),
        named.stream().filter(Named::current).map(Named::id).collect(Collectors.toSet()));
  }

  /**
   * @param serving the deployments that serve production now
   */
  List<DeploymentLine> of(
      Visit visit, Collection<DeploymentHistory.Entry> entries, Set<String> serving) {
    List<Deployment> deployments =
        entries.stream().map(DeploymentHistory.Entry::deployment).toList();
    Map<String, String> names = askedBy.of(visit.who(), deployments);
    return entries.stream()
        .map(entry -> {
          String id = entry.deployment().id().value();
          return DeploymentLine.of(entry, names.getOrDefault(id, ""), serving.contains(id));
        })
        .toList();
  }
}
