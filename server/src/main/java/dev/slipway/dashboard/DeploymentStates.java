package dev.slipway.dashboard;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.FailureCode;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.Step;
import dev.slipway.runlog.RunLogs;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds out what deployments have come to. */
final class DeploymentStates {
  private final DeploymentService deployments;
  private final DeploymentLines lines;
  private final ProjectHeads heads;
  private final RunLogs logs;
  private final Clock clock;

  DeploymentStates(
      DeploymentService deployments,
      DeploymentLines lines,
      ProjectHeads heads,
      RunLogs logs,
      Clock clock) {
    this.deployments = deployments;
    this.lines = lines;
    this.heads = heads;
    this.logs = logs;
    this.clock = clock;
  }

  /** The deployment that the page's address names. */
  DeploymentService.Detail read(Visit visit) {
    return deployments.get(
        visit.who().account().id(), new DeploymentId(visit.path("deployment_id")));
  }

  DeploymentService.Detail read(AccountId account, DeploymentId id) {
    return deployments.get(account, id);
  }

  BuildLog log(Deployment deployment) {
    return new BuildLog(
        logs, deployment.logId(), "Build log", DeploymentLine.path(deployment.id().value()));
  }

  DeploymentState of(Visit visit, DeploymentService.Detail detail) {
    Deployment deployment = detail.deployment();
    String id = deployment.id().value();
    String built = deployment.origin().source().value();
    List<DeploymentLine> found =
        lines.of(
            visit,
            Stream.of(id, built)
                .distinct()
                .map(it -> new DeploymentLines.Named(it, detail.current() && it.equals(id)))
                .toList());
    DeploymentLine line = find(found, id).orElseThrow();
    Optional<ProjectHead> project =
        line.deleted() ? Optional.empty() : Optional.of(heads.of(visit, line.projectId()));
    return new DeploymentState(
        line,
        project,
        detail.url(),
        deployment.status().unfinished(),
        waiting(deployment),
        cause(deployment, detail.steps(), project.map(ProjectHead::path)),
        detail
            .crashing()
            .filter(_ -> project.isPresent())
            .map(it ->
                new DeploymentState.Crash(it.failure().code().wireName(), it.failure().message())),
        StepList.of(deployment, detail.steps(), clock.instant()),
        new DeploymentState.Facts(
            deployment
                .framework()
                .map(Shown::framework)
                .orElse(deployment.status().unfinished() ? "Not known yet" : "Not found out"),
            build(deployment),
            "%s, %s".formatted(deployment.region(), deployment.instanceType())),
        detail.previewUrl(),
        find(found, built).filter(it -> !built.equals(id)),
        shape(detail));
  }

  /** When the step began that failed: what the log has before is not about that. */
  static Instant failedSince(Deployment deployment, List<Step> steps) {
    return steps.stream()
        .filter(it -> it.outcome() == Step.Outcome.FAILED)
        .map(Step::startedAt)
        .findFirst()
        .orElse(deployment.times().created());
  }

  private Optional<Cause> cause(Deployment deployment, List<Step> steps, Optional<String> project) {
    return deployment
        .failure()
        .map(failure ->
            Cause.of(
                title(failure.code()),
                failure,
                project,
                Cause.isMeant(failure.code())
                    ? Optional.empty()
                    : log(deployment).firstError(failedSince(deployment, steps))));
  }

  private static String title(FailureCode code) {
    if (!Cause.isMeant(code)) {
      return "The deployment failed";
    }
    return code == FailureCode.CANCELED
        ? "The deployment was canceled."
        : "A newer one took its place.";
  }

  /** The states of all that is shown, in short. */
  static String shape(DeploymentService.Detail detail) {
    List<String> steps =
        detail.steps().stream().map(it -> it.name() + it.outcome().wireName()).toList();
    Deployment deployment = detail.deployment();
    return Integer.toHexString(
        List.of(
                deployment.status().wireName(),
                deployment.code().commit().map(it -> it.sha()).orElse(""),
                detail.current(),
                detail.crashing().isPresent(),
                steps)
            .hashCode());
  }

  private static Optional<String> waiting(Deployment deployment) {
    return deployment.status() == DeploymentStatus.QUEUED
        ? Optional.of(
            deployment.isRollback()
                ? "It begins in a moment."
                : "A free place for its build has to come up, or its database has to get ready. It begins by itself.")
        : Optional.empty();
  }

  private static String build(Deployment deployment) {
    if (deployment.isRollback()) {
      return "Nothing was built";
    }
    return deployment
        .buildDuration()
        .map(Shown::duration)
        .orElse(deployment.status() == DeploymentStatus.BUILDING ? "Under way" : "Not begun");
  }

  private static Optional<DeploymentLine> find(List<DeploymentLine> lines, String id) {
    return lines.stream().filter(it -> it.id().equals(id)).findFirst();
  }
}
