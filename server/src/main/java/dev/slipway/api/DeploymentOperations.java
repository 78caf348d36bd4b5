package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.slipway.account.Actor;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.UploadId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.DeploymentStore;
import dev.slipway.deployment.Step;
import dev.slipway.deployment.Trigger;
import dev.slipway.deployment.Wanted;
import dev.slipway.edge.Addresses;
import dev.slipway.source.Commit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The resource {@code /deployments}. */
public final class DeploymentOperations implements Operations {
  private final DeploymentService deployments;
  private final DeploymentLogs logs;
  private final Paging paging;
  private final Addresses addresses;

  DeploymentOperations(
      DeploymentService deployments, DeploymentLogs logs, Paging paging, Addresses addresses) {
    this.deployments = deployments;
    this.logs = logs;
    this.paging = paging;
    this.addresses = addresses;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listDeployments", this::list,
        "getDeployment", this::get,
        "triggerDeployment", this::trigger,
        "rollBack", this::rollBack,
        "cancelDeployment", this::cancel,
        "getDeploymentLogs", this::logs);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of(
        "triggerDeployment",
        DeploymentOperations::checkTrigger,
        "getDeploymentLogs",
        DeploymentLogs::check);
  }

  private static void checkTrigger(Call call, Faults faults) {
    if (call.text("commit_sha").isPresent() && call.text("upload_id").isPresent()) {
      faults.add("upload_id", "is not taken together with commit_sha");
    }
    EnvVarsField.check(call, faults);
  }

  /** As a list shows it. */
  record View(
      String id,
      String projectId,
      Optional<String> commitSha,
      Optional<String> commitMessage,
      Optional<String> branch,
      String status,
      String url,
      Optional<String> framework,
      String trigger,
      boolean current,
      String sourceDeploymentId,
      Optional<String> rolledBackTo,
      Instant createdAt,
      Optional<Instant> liveAt,
      Optional<FailureView> error,
      Optional<CrashView> crashing) {}

  /** What the single read adds. */
  record DetailView(
      @JsonUnwrapped View deployment,
      @JsonInclude @Nullable String previewUrl,
      String region,
      String instanceType,
      Optional<Long> buildDurationSeconds,
      List<StepView> steps,
      String logsUrl) {}

  record StepView(String name, String status, Instant startedAt, Optional<Instant> endedAt) {
    static StepView of(Step step) {
      return new StepView(step.name(), step.outcome().wireName(), step.startedAt(), step.endedAt());
    }
  }

  record TriggeredView(String id, String projectId, String status, Instant createdAt) {}

  record RollbackView(
      String id,
      String projectId,
      String rolledBackFrom,
      String rolledBackTo,
      String status,
      Instant createdAt) {}

  private Answer list(Call call) {
    DeploymentStore.Filter filter =
        new DeploymentStore.Filter(
            call.account(),
            call.query("project_id").map(ProjectId::new),
            call.query("status").flatMap(DeploymentStatus::ofWireName));
    return paging.page(
        call,
        "deployments " + filter.project() + " " + filter.status(),
        (after, limit) -> deployments.list(filter, after.map(DeploymentId::new), limit),
        detail -> detail.deployment().id().value(),
        DeploymentOperations::view);
  }

  private Answer get(Call call) {
    return Answer.ok(detailView(deployments.get(call.account(), id(call))));
  }

  private Answer cancel(Call call) {
    return Answer.ok(detailView(deployments.cancel(call.account(), id(call))));
  }

  private Answer trigger(Call call) {
    Deployment deployment =
        deployments.trigger(
            call.account(),
            new ProjectId(call.text("project_id").orElseThrow()),
            new Wanted(
                call.text("commit_sha").map(sha -> sha.toLowerCase(Locale.ROOT)),
                call.text("upload_id").map(UploadId::new),
                call.flag("rebuild")),
            EnvVarsField.of(call),
            trigger(call.caller().actor()));
    return Answer.created(
        new TriggeredView(
            deployment.id().value(),
            deployment.projectId().value(),
            deployment.status().wireName(),
            deployment.times().created()));
  }

  private static Trigger trigger(Actor actor) {
    return switch (actor) {
      case Actor.Key _ -> Trigger.API;
      case Actor.User _ -> Trigger.DASHBOARD;
    };
  }

  private Answer rollBack(Call call) {
    DeploymentService.RollbackStarted started = deployments.rollback(call.account(), id(call));
    Deployment rollback = started.deployment();
    return Answer.created(
        new RollbackView(
            rollback.id().value(),
            rollback.projectId().value(),
            started.from().value(),
            started.to().value(),
            rollback.status().wireName(),
            rollback.times().created()));
  }

  private Answer logs(Call call) throws InterruptedException {
    return logs.answer(
        call,
        () -> deployments.get(call.account(), id(call)).deployment().logId(),
        places -> deployments.programLog(call.account(), id(call), places));
  }

  private static DeploymentId id(Call call) {
    return new DeploymentId(call.path("deployment_id"));
  }

  /** As the single read shows it. */
  DetailView detailView(DeploymentService.Detail detail) {
    Deployment deployment = detail.deployment();
    return new DetailView(
        view(detail),
        detail.previewUrl().orElse(null),
        deployment.region(),
        deployment.instanceType(),
        deployment.buildDuration().map(Duration::toSeconds),
        detail.steps().stream().map(StepView::of).toList(),
        addresses.ofApi("/deployments/" + deployment.id() + "/logs"));
  }

  private static View view(DeploymentService.Detail detail) {
    Deployment deployment = detail.deployment();
    Optional<Commit> commit = deployment.code().commit();
    return new View(
        deployment.id().value(),
        deployment.projectId().value(),
        commit.map(Commit::sha),
        commit.map(Commit::message),
        deployment.code().branch(),
        deployment.status().wireName(),
        detail.url(),
        deployment.framework(),
        deployment.origin().trigger().wireName(),
        detail.current(),
        deployment.origin().source().value(),
        deployment.origin().rollbackTo().map(DeploymentId::value),
        deployment.times().created(),
        deployment.times().live(),
        deployment.failure().map(FailureView::of),
        detail.crashing().map(CrashView::of));
  }
}
