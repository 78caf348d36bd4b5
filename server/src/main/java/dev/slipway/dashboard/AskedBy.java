package dev.slipway.dashboard;

import dev.slipway.account.Audit;
import dev.slipway.account.AuditEntry;
import dev.slipway.account.Member;
import dev.slipway.account.SignedIn;
import dev.slipway.account.Users;
import dev.slipway.deployment.Deployment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who asked for deployments, as the audit log has it. */
final class AskedBy {
  /** A deployment that was canceled has an entry for that too. */
  private static final Set<String> WISHES =
      Set.of("triggerDeployment", "rollBack", "createMigration");

  private final Audit audit;
  private final Users users;

  AskedBy(Audit audit, Users users) {
    this.audit = audit;
    this.users = users;
  }

  /** By the id of the deployment; where nobody was written down, how it was asked for. */
  Map<String, String> of(SignedIn who, Collection<Deployment> deployments) {
    // The first deployment of a migration has the migration's log, and its id.
    List<String> subjects =
        deployments.stream()
            .flatMap(it -> Stream.of(it.id().value(), it.logId()))
            .distinct()
            .toList();
    Map<String, AuditEntry> entries = audit.first(who.account().id(), subjects);
    Map<String, String> names = entries.isEmpty() ? Map.of() : names(who);
    Map<String, String> all = new HashMap<>();
    for (Deployment deployment : deployments) {
      all.put(
          deployment.id().value(),
          wish(entries, deployment)
              .map(it ->
                  it.byKey() ? "API key " + it.actor() : names.getOrDefault(it.actor(), it.actor()))
              .orElseGet(() -> trigger(deployment)));
    }
    return all;
  }

  private static Optional<AuditEntry> wish(Map<String, AuditEntry> entries, Deployment deployment) {
    return Stream.of(deployment.id().value(), deployment.logId())
        .flatMap(it -> Optional.ofNullable(entries.get(it)).stream())
        .filter(it -> WISHES.contains(it.action()))
        .findFirst();
  }

  /** What the present users call themselves, by their addresses. */
  private Map<String, String> names(SignedIn who) {
    return users.list(who).stream()
        .filter(it -> !it.name().isEmpty())
        .collect(Collectors.toUnmodifiableMap(Member::email, Member::name));
  }

  private static String trigger(Deployment deployment) {
    return switch (deployment.origin().trigger()) {
      case API -> "API";
      case DASHBOARD -> "dashboard";
      case MIGRATION -> "migration";
      case PUSH -> "push";
      case ROLLBACK -> "rollback";
      case PULL_REQUEST -> "pull request";
    };
  }
}
