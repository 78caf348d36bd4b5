package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.MigrationId;
import dev.slipway.core.UploadId;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.deployment.Deployment;
import dev.slipway.domain.DomainService;
import dev.slipway.edge.Addresses;
import dev.slipway.migration.DryRuns;
import dev.slipway.migration.Migration;
import dev.slipway.migration.MigrationService;
import dev.slipway.migration.MigrationStatus;
import dev.slipway.migration.MigrationStore;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.Settings;
import dev.slipway.source.BranchName;
import dev.slipway.source.RepoName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /migrations}. */
public final class MigrationOperations implements Operations {
  private static final String DEFAULT_BRANCH = "main";
  private static final String DEFAULT_REGION = "us-east-1";

  private final MigrationService migrations;
  private final DryRuns dryRuns;
  private final Choices choices;
  private final DomainService domains;
  private final DatabaseService databases;
  private final DatabaseField databaseField;
  private final LogAnswers logs;
  private final Paging paging;
  private final Addresses addresses;

  /**
   * What the configuration offers; of regions and instance types the first is the default, save
   * that the region is {@code us-east-1} where there is one.
   */
  public record Choices(
      List<String> sources,
      List<String> frameworks,
      List<String> regions,
      List<String> instanceTypes,
      int maxInstances) {
    String defaultRegion() {
      return regions.contains(DEFAULT_REGION) ? DEFAULT_REGION : regions.getFirst();
    }

    /** What a schema cannot say of {@code instance_type} and {@code instances}. */
    void checkInstances(Call call, Faults faults) {
      call.text("instance_type")
          .ifPresent(it -> faults.requireOneOf("instance_type", it, instanceTypes));
      if (call.body().orElseThrow().path("instances").asInt() > maxInstances) {
        faults.add("instances", "must be at most %d on this server".formatted(maxInstances));
      }
    }
  }

  MigrationOperations(
      MigrationService migrations,
      DryRuns dryRuns,
      Choices choices,
      DomainService domains,
      DatabaseService databases,
      DatabaseField databaseField,
      LogAnswers logs,
      Paging paging,
      Addresses addresses) {
    this.migrations = migrations;
    this.dryRuns = dryRuns;
    this.choices = choices;
    this.domains = domains;
    this.databases = databases;
    this.databaseField = databaseField;
    this.logs = logs;
    this.paging = paging;
    this.addresses = addresses;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listMigrations", this::list,
        "getMigration", this::get,
        "createMigration", this::create,
        "cancelMigration", this::cancel,
        "getMigrationLogs", this::logs);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of(
        "createMigration",
        this::check,
        "getMigrationLogs",
        (call, faults) -> EventStreams.check(call, faults, RunLogCursor::isEventId));
  }

  @Override
  public Map<String, Preparation> preparations() {
    Preparation claim = DomainClaim.asked(domains, "domain");
    return Map.of(
        "createMigration",
        call -> {
          claim.prepare(call);
          databaseField.ask(call, databases);
        });
  }

  record CreatedView(String id, String status, String projectId, Instant createdAt) {}

  /** As a list shows it. */
  record View(
      String id,
      String projectId,
      Optional<String> deploymentId,
      String source,
      Optional<String> repo,
      Optional<String> branch,
      Optional<String> framework,
      String status,
      String url,
      Instant createdAt,
      Optional<Instant> completedAt,
      Optional<FailureView> error) {}

  /** What the single read adds. */
  record DetailView(
      @JsonUnwrapped View migration, Optional<DatabaseReferenceView> database, String logsUrl) {}

  private Answer list(Call call) {
    MigrationStore.Filter filter =
        new MigrationStore.Filter(
            call.account(), call.query("status").flatMap(MigrationStatus::ofWireName));
    return paging.page(
        call,
        "migrations " + filter.status(),
        (after, limit) -> migrations.list(filter, after.map(MigrationId::new), limit),
        detail -> detail.migration().id().value(),
        this::view);
  }

  private Answer get(Call call) {
    return Answer.ok(detailView(migrations.get(call.account(), id(call))));
  }

  private Answer cancel(Call call) {
    return Answer.ok(detailView(migrations.cancel(call.account(), id(call))));
  }

  private Answer create(Call call) throws InterruptedException {
    if (call.asks("dry_run")) {
      MigrationService.Request request = request(call);
      return Answer.ok(
          PlanView.of(dryRuns.plan(call.account(), request), request.settings().overrides()));
    }
    DatabaseField.requirePossible(call);
    Migration migration = migrations.create(call.account(), request(call), DomainClaim.of(call));
    // Whatever it waits for, the creation result says so. API description, "States".
    return Answer.created(
        new CreatedView(
            migration.id().value(),
            MigrationStatus.PROCESSING.wireName(),
            migration.projectId().value(),
            migration.createdAt()));
  }

  private Answer logs(Call call) throws InterruptedException {
    return logs.answer(call, migrations.get(call.account(), id(call)).migration().logId());
  }

  private void check(Call call, Faults faults) {
    call.text("source").ifPresent(it -> checkSource(call, it, faults));
    call.text("branch")
        .filter(branch -> !BranchName.isValid(branch))
        .ifPresent(branch -> faults.add("branch", branch + " is not a branch name"));
    BuildFields.check(call, choices.frameworks(), faults);
    faults.requireOneOf("region", region(call), choices.regions());
    choices.checkInstances(call, faults);
    call.text("domain")
        .ifPresent(name ->
            domains.fault(name).ifPresent(fault -> faults.add("domain", name + " " + fault)));
    databaseField.check(call, faults);
    EnvVarsField.check(call, faults);
  }

  /** A repository and a branch belong to a git host, an upload to a zip. */
  private void checkSource(Call call, String source, Faults faults) {
    faults.requireOneOf("source", source, choices.sources());
    String needed = isZip(call) ? "upload_id" : "repo";
    List<String> foreign = isZip(call) ? List.of("repo", "branch") : List.of("upload_id");
    JsonNode body = call.body().orElseThrow();
    if (!body.has(needed)) {
      faults.add(needed, "is required");
    }
    foreign.stream()
        .filter(body::has)
        .forEach(field -> faults.add(field, "is not taken where source is " + source));
  }

  private static boolean isZip(Call call) {
    return call.text("source").filter(Project.ZIP::equals).isPresent();
  }

  private MigrationService.Request request(Call call) {
    return new MigrationService.Request(
        call.text("source").orElseThrow(),
        call.text("repo").map(RepoName::new),
        call.text("upload_id").map(UploadId::new),
        EnvVarsField.of(call),
        call.text("project_name"),
        call.text("domain"),
        region(call),
        databaseField.of(call),
        new Settings(
            isZip(call)
                ? Optional.empty()
                : Optional.of(call.text("branch").orElse(DEFAULT_BRANCH)),
            call.text("instance_type").orElse(choices.instanceTypes().getFirst()),
            call.body().orElseThrow().path("instances").asInt(1),
            true,
            Previews.UNLISTED,
            false,
            Optional.empty(),
            Optional.empty(),
            BuildFields.of(call)));
  }

  private String region(Call call) {
    return call.text("region").orElseGet(choices::defaultRegion);
  }

  private static MigrationId id(Call call) {
    return new MigrationId(call.path("migration_id"));
  }

  /** As the single read shows it. */
  DetailView detailView(MigrationService.Detail detail) {
    return new DetailView(
        view(detail),
        detail.database().map(it -> DatabaseReferenceView.of(it.type(), it.id())),
        addresses.ofApi("/migrations/" + detail.migration().id() + "/logs"));
  }

  private View view(MigrationService.Detail detail) {
    Migration migration = detail.migration();
    Project project = detail.project();
    Optional<Deployment> first = detail.deployment();
    return new View(
        migration.id().value(),
        project.id().value(),
        migration.deploymentId().map(DeploymentId::value),
        project.source(),
        project.repo().map(RepoName::value),
        // Those of the deployment: the project's may have been changed since.
        first
            .flatMap(deployment -> deployment.code().branch())
            .or(() -> project.settings().branch()),
        first.map(Deployment::framework).orElse(project.settings().overrides().framework()),
        migration.status().wireName(),
        addresses.ofApp(project.label()),
        migration.createdAt(),
        migration.completedAt(),
        migration.failure().map(FailureView::of));
  }
}
