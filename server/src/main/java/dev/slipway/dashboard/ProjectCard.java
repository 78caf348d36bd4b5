package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * A project among others.
 *
 * @param url its production address
 * @param host the same without the scheme
 * @param live whether anything answers there
 * @param framework for people
 * @param requests of the last 24 hours
 * @param hours how they were distributed
 * @param last the deployment that was asked for last
 */
public record ProjectCard(
    String id,
    String name,
    Badge state,
    String url,
    String host,
    boolean live,
    String framework,
    long requests,
    Curve hours,
    Optional<DeploymentLine> last) {

  static ProjectCard of(
      ProjectFacts project, Badge state, List<Long> requests, Optional<DeploymentLine> last) {
    return new ProjectCard(
        project.id(),
        project.name(),
        state,
        project.url(),
        project.host(),
        project.liveDeploymentId().isPresent(),
        project.framework().map(Shown::framework).orElse("Unknown framework"),
        requests.stream().mapToLong(it -> it).sum(),
        Curve.of(Curve.soFar(requests.stream().map(Long::doubleValue).toList())),
        last);
  }

  public String path() {
    return ProjectHead.path(id);
  }

  /** The state of the last deployment, where it says something that the project's does not. */
  public Optional<Badge> news() {
    return last.map(DeploymentLine::state)
        .filter(it -> !it.equals(state))
        .filter(it -> it.tone().equals("bad") || it.isUnderWay());
  }
}
