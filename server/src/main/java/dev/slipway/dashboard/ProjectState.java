package dev.slipway.dashboard;

import dev.slipway.deployment.Deployment;
import java.util.Optional;

/** What a project is doing, in one word. */
final class ProjectState {
  private ProjectState() {}

  /**
   * @param latest its newest deployment
   */
  static Badge of(ProjectFacts project, Optional<Deployment> latest) {
    Optional<Deployment> underWay = latest.filter(it -> it.status().unfinished());
    if (project.crashing().isPresent()) {
      return Badge.of("crashing");
    }
    if (underWay.isPresent()) {
      return Badge.of(underWay.get().status().wireName());
    }
    if (project.restart().filter(ProjectFacts.Restarted::isRunning).isPresent()) {
      return Badge.of("restarting");
    }
    if (project.asleep()) {
      return Badge.of("asleep");
    }
    if (project.liveDeploymentId().isPresent()) {
      return Badge.of("live");
    }
    return latest.map(DeploymentLine::state).orElseGet(() -> Badge.of("not_deployed"));
  }
}
