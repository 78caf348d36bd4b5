package dev.slipway.dashboard;

import dev.slipway.api.LocalRequest;
import dev.slipway.core.Failure;
import dev.slipway.core.MigrationId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.Step;
import dev.slipway.edge.Addresses;
import dev.slipway.migration.Migration;
import dev.slipway.migration.MigrationService;
import dev.slipway.migration.MigrationStatus;
import dev.slipway.project.Project;
import dev.slipway.runlog.RunLogs;
import dev.slipway.source.RepoName;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A migration to watch: until its project is live, or it is said why it is not. */
final class MigrationPages implements Pages {
  private static final String PAGE = "/migrations/:migration_id";

  private final MigrationService migrations;
  private final DeploymentStates deployments;
  private final RunLogs logs;
  private final Addresses addresses;
  private final Clock clock;

  MigrationPages(
      MigrationService migrations,
      DeploymentStates deployments,
      RunLogs logs,
      Addresses addresses,
      Clock clock) {
    this.migrations = migrations;
    this.deployments = deployments;
    this.logs = logs;
    this.addresses = addresses;
    this.clock = clock;
  }

  @Override
  public void mount(Site site) {
    site.get(PAGE, this::show);
    site.get(PAGE + "/state", this::state);
    site.get(
        PAGE + "/log.txt", visit -> log(read(visit)).whole(visit.path("migration_id") + ".log"));
    site.operation(PAGE + "/log", "getMigrationLogs", Need.ANY);
    site.post(PAGE + "/cancel", Need.CHANGE, this::cancel, this::show);
  }

  /** A migration, and the deployment that it is about. */
  private record Found(
      MigrationService.Detail migration, Optional<DeploymentService.Detail> deployment) {
    String shape() {
      return migration.migration().status().wireName()
          + deployment.map(it -> "-" + DeploymentStates.shape(it)).orElse("");
    }
  }

  private Reply show(Visit visit) {
    Found found = find(visit);
    MigrationState state = of(found);
    return Reply.page(
        "migrations/show.jte",
        "Migration of " + state.name(),
        Section.PROJECTS,
        new MigrationPage(state, log(found.migration()).view(visit, state.open())));
  }

  private Reply state(Visit visit) {
    Found found = find(visit);
    return visit.query("seen").equals(Optional.of(found.shape()))
        ? new Reply.Unchanged()
        : new Reply.Fragment("migrations/state.jte", of(found));
  }

  private Reply cancel(Visit visit) {
    String id = visit.path("migration_id");
    visit.tell(LocalRequest.of("cancelMigration").path("migration_id", id));
    return Reply.done(MigrationState.path(id), Notice.CANCELED);
  }

  private MigrationService.Detail read(Visit visit) {
    return migrations.get(visit.who().account().id(), new MigrationId(visit.path("migration_id")));
  }

  private Found find(Visit visit) {
    MigrationService.Detail found = read(visit);
    return new Found(
        found,
        found
            .migration()
            .deploymentId()
            .map(it -> deployments.read(visit.who().account().id(), it)));
  }

  private BuildLog log(MigrationService.Detail detail) {
    Migration migration = detail.migration();
    return new BuildLog(
        logs, migration.logId(), "Migration log", MigrationState.path(migration.id().value()));
  }

  private MigrationState of(Found found) {
    Migration migration = found.migration().migration();
    Project project = found.migration().project();
    Optional<Deployment> first = found.deployment().map(DeploymentService.Detail::deployment);
    List<Step> steps = found.deployment().map(DeploymentService.Detail::steps).orElse(List.of());
    return new MigrationState(
        migration.id().value(),
        badge(migration),
        migration.completedAt().isEmpty(),
        migration.status() == MigrationStatus.PENDING,
        project.name(),
        path(project),
        addresses.ofApp(project.label()),
        project.repo().map(RepoName::value).orElse("A zip archive"),
        first.flatMap(it -> it.code().branch()).or(() -> project.settings().branch()),
        migration.createdAt(),
        migration
            .completedAt()
            .map(it -> Shown.duration(Duration.between(migration.createdAt(), it))),
        cause(migration, found.migration(), first, steps),
        first.map(it -> DeploymentLine.path(it.id().value())),
        first.map(it -> StepList.of(it, steps, clock.instant())).orElseGet(StepList::toCome),
        found.shape());
  }

  private static Optional<String> path(Project project) {
    return project.deleted()
        ? Optional.empty()
        : Optional.of(ProjectHead.path(project.id().value()));
  }

  private static Badge badge(Migration migration) {
    return Badge.of(
        migration
            .failure()
            .map(Failure::code)
            .filter(Cause::isMeant)
            .map(it -> it.wireName())
            .orElse(migration.status().wireName()));
  }

  private Optional<Cause> cause(
      Migration migration,
      MigrationService.Detail detail,
      Optional<Deployment> first,
      List<Step> steps) {
    return migration
        .failure()
        .map(failure ->
            Cause.of(
                Cause.isMeant(failure.code())
                    ? "The migration was canceled."
                    : "The migration failed",
                failure,
                path(detail.project()),
                Cause.isMeant(failure.code())
                    ? Optional.empty()
                    : log(detail)
                        .firstError(
                            first
                                .map(it -> DeploymentStates.failedSince(it, steps))
                                .orElse(migration.createdAt()))));
  }
}
