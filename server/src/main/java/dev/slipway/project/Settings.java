package dev.slipway.project;

import java.util.Optional;

/**
 * What the owner of a project may change at any time.
 *
 * @param branch deployed where a deployment names no commit
 * @param framework only where the user overrides detection
 * @param instanceType of the next deployments
 * @param autoDeploy whether a push to the branch deploys it
 * @param healthCheckPath what a program is asked for whenever it is started
 */
public record Settings(
    String branch,
    Optional<String> framework,
    String instanceType,
    boolean autoDeploy,
    Previews previews,
    String healthCheckPath) {
  public static final String HEALTH_CHECK_PATH = "/";

  /** The settings of a new project that says nothing else. */
  public static Settings of(String branch, String instanceType) {
    return new Settings(
        branch, Optional.empty(), instanceType, true, Previews.UNLISTED, HEALTH_CHECK_PATH);
  }
}
