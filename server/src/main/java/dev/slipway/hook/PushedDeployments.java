package dev.slipway.hook;

import dev.slipway.core.DeploymentId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.Trigger;
import dev.slipway.edge.Addresses;
import dev.slipway.hook.host.CommitStatus;
import dev.slipway.hook.host.CommitStatus.State;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectStore;
import java.net.URI;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What came of a push, said beside its commit. */
final class PushedDeployments implements Topic {
  private static final String PREFIX = "dep_";

  private final DeploymentService deployments;
  private final ProjectStore projects;
  private final Addresses addresses;

  PushedDeployments(DeploymentService deployments, ProjectStore projects, Addresses addresses) {
    this.deployments = deployments;
    this.projects = projects;
    this.addresses = addresses;
  }

  @Override
  public boolean covers(String id) {
    return id.startsWith(PREFIX);
  }

  @Override
  public Optional<Words> words(Handle tx, String id) {
    return deployments
        .find(tx, new DeploymentId(id))
        .filter(it -> it.origin().trigger() == Trigger.PUSH)
        .flatMap(it -> words(tx, it, projects.find(tx, it.projectId()).orElseThrow()));
  }

  private Optional<Words> words(Handle tx, Deployment deployment, Project project) {
    // What a deleted project's was waiting for never comes; what was said before stays.
    boolean told = !project.deleted() || deployment.status() == DeploymentStatus.FAILED;
    return deployment
        .code()
        .requestedSha()
        .filter(sha -> told && deployments.isLatestPush(tx, deployment, sha))
        .map(sha ->
            new Words(project, sha, Optional.of(status(deployment, project)), Optional.empty()));
  }

  private CommitStatus status(Deployment deployment, Project project) {
    String description =
        switch (deployment.status()) {
          case QUEUED -> "Waits to be built.";
          case BUILDING -> "Is being built.";
          case DEPLOYING -> "Is being started.";
          case LIVE -> "Live at " + addresses.ofApp(project.label());
          case FAILED -> deployment.failure().map(Failed::words).orElse("It failed.");
          case ROLLED_BACK -> "Was live, until a rollback.";
        };
    State state =
        switch (deployment.status()) {
          case QUEUED, BUILDING, DEPLOYING -> State.PENDING;
          case LIVE, ROLLED_BACK -> State.SUCCESS;
          case FAILED -> deployment.failure().map(Failed::state).orElse(State.FAILURE);
        };
    URI page = URI.create(addresses.of("/dashboard/deployments/" + deployment.id()));
    return new CommitStatus(state, "slipway/" + project.name(), description, page);
  }

  @Override
  public void commented(Handle tx, String id, String comment) {
    throw new IllegalStateException("nobody comments on deployments");
  }
}
