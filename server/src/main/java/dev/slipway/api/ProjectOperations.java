package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.database.DatabaseType;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.deployment.RestartService;
import dev.slipway.edge.Addresses;
import dev.slipway.framework.Overrides;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectService;
import dev.slipway.project.Restart;
import dev.slipway.project.Settings;
import dev.slipway.source.BranchName;
import dev.slipway.source.RepoName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The resource {@code /projects}. */
public final class ProjectOperations implements Operations {
  private final ProjectService projects;
  private final RestartService restarts;
  private final DatabaseService databases;
  private final MigrationOperations.Choices choices;
  private final Paging paging;
  private final Addresses addresses;

  ProjectOperations(
      ProjectService projects,
      RestartService restarts,
      DatabaseService databases,
      MigrationOperations.Choices choices,
      Paging paging,
      Addresses addresses) {
    this.projects = projects;
    this.restarts = restarts;
    this.databases = databases;
    this.choices = choices;
    this.paging = paging;
    this.addresses = addresses;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listProjects", this::list,
        "getProject", this::get,
        "updateProject", this::change,
        "deleteProject", this::delete,
        "restartProject", this::restart);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of("updateProject", this::check);
  }

  record View(
      String id,
      String name,
      String source,
      Optional<String> repo,
      Optional<String> branch,
      Optional<String> framework,
      Optional<String> rootDirectory,
      Optional<String> installCommand,
      Optional<String> buildCommand,
      Optional<String> startCommand,
      Optional<String> outputDirectory,
      String region,
      String instanceType,
      int instances,
      int instancesRunning,
      boolean asleep,
      String url,
      Optional<DatabaseReferenceView> database,
      Optional<String> liveDeploymentId,
      boolean autoDeploy,
      String previews,
      boolean previewForks,
      Optional<Long> sleepAfterSeconds,
      String healthCheckPath,
      Optional<CrashView> crashing,
      Optional<RestartView> restart,
      Instant createdAt,
      Instant updatedAt) {}

  record RestartView(
      String status,
      Instant requestedAt,
      Optional<Instant> completedAt,
      Optional<FailureView> error) {
    static RestartView of(Restart restart) {
      return new RestartView(
          restart.status().wireName(),
          restart.requestedAt(),
          restart.completedAt(),
          restart.failure().map(FailureView::of));
    }
  }

  private Answer list(Call call) {
    return paging.page(
        call,
        "projects",
        (after, limit) ->
            described(projects.list(call.account(), after.map(ProjectId::new), limit)),
        described -> described.project().id().value(),
        this::view);
  }

  private Answer get(Call call) {
    return Answer.ok(view(projects.get(call.account(), id(call))));
  }

  private Answer change(Call call) {
    return Answer.ok(
        view(
            projects.change(
                call.account(), id(call), call.text("name"), old -> changed(call, old))));
  }

  private Answer delete(Call call) {
    ProjectId id = id(call);
    boolean databasesToo = call.asks("delete_databases");
    projects.delete(call.account(), id, databasesToo);
    return Answer.ok(new DeletedView(id.value(), true));
  }

  private Answer restart(Call call) {
    return Answer.ok(view(restarts.restart(call.account(), id(call))));
  }

  private void check(Call call, Faults faults) {
    call.text("branch")
        .filter(branch -> !BranchName.isValid(branch))
        .ifPresent(branch -> faults.add("branch", branch + " is not a branch name"));
    BuildFields.check(call, choices.frameworks(), faults);
    choices.checkInstances(call, faults);
  }

  /** The settings with what the request names. */
  private static Settings changed(Call call, Settings old) {
    JsonNode body = call.body().orElseThrow();
    return new Settings(
        branch(call, old.branch()),
        body.path("instance_type").asText(old.instanceType()),
        body.path("instances").asInt(old.instances()),
        body.path("auto_deploy").asBoolean(old.autoDeploy()),
        Previews.ofWireName(body.path("previews").asText(old.previews().wireName())),
        body.path("preview_forks").asBoolean(old.previewForks()),
        sleepAfter(body, old.sleepAfter()),
        database(body, old.database()),
        BuildFields.merged(call, old.overrides()));
  }

  private static Optional<Duration> sleepAfter(JsonNode body, Optional<Duration> old) {
    JsonNode seconds = body.path("sleep_after_seconds");
    return seconds.isMissingNode()
        ? old
        : Optional.of(seconds)
            .filter(JsonNode::isNumber)
            .map(it -> Duration.ofSeconds(it.asLong()));
  }

  private static Optional<DatabaseId> database(JsonNode body, Optional<DatabaseId> old) {
    JsonNode id = body.path("database_id");
    return id.isMissingNode()
        ? old
        : Optional.of(id).filter(JsonNode::isTextual).map(it -> new DatabaseId(it.textValue()));
  }

  private static Optional<String> branch(Call call, Optional<String> old) {
    if (call.text("branch").isPresent() && old.isEmpty()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "branch: the project comes from archives and has no branch.");
    }
    return call.text("branch").or(() -> old);
  }

  private record Described(Project project, Optional<DatabaseReferenceView> database) {}

  private List<Described> described(List<Project> all) {
    Map<DatabaseId, DatabaseType> types =
        databases.types(
            all.stream().flatMap(project -> project.settings().database().stream()).toList());
    return all.stream()
        .map(project ->
            new Described(
                project,
                project
                    .settings()
                    .database()
                    .flatMap(id ->
                        Optional.ofNullable(types.get(id))
                            .map(type -> DatabaseReferenceView.of(type, id)))))
        .toList();
  }

  private View view(Project project) {
    return view(described(List.of(project)).getFirst());
  }

  /** As a read in this transaction shows it. */
  View view(Handle tx, Project project) {
    return view(
        new Described(
            project,
            project
                .settings()
                .database()
                .flatMap(id -> databases.find(tx, id))
                .map(it -> DatabaseReferenceView.of(it.type(), it.id()))));
  }

  private View view(Described described) {
    Project project = described.project();
    Settings settings = project.settings();
    Overrides overrides = settings.overrides();
    return new View(
        project.id().value(),
        project.name(),
        project.source(),
        project.repo().map(RepoName::value),
        settings.branch(),
        project.framework(),
        overrides.rootDirectory().map(BuildFields::shown),
        overrides.installCommand(),
        overrides.buildCommand(),
        overrides.startCommand(),
        overrides.outputDirectory().map(BuildFields::shown),
        project.region(),
        settings.instanceType(),
        settings.instances(),
        project.running(),
        project.asleep(),
        addresses.ofApp(project.label()),
        described.database(),
        project.liveDeploymentId().map(DeploymentId::value),
        settings.autoDeploy(),
        settings.previews().wireName(),
        settings.previewForks(),
        settings.sleepAfter().map(Duration::toSeconds),
        overrides.healthCheckPath().orElse(Settings.HEALTH_CHECK_PATH),
        project.crashing().map(CrashView::of),
        project.restart().map(RestartView::of),
        project.createdAt(),
        project.updatedAt());
  }

  private static ProjectId id(Call call) {
    return new ProjectId(call.path("project_id"));
  }
}
