package dev.slipway.project;

import dev.slipway.core.DatabaseId;
import dev.slipway.framework.Overrides;
import java.time.Duration;
import java.util.Optional;

/**
 * What the owner of a project may change at any time; the next deployment has it, what serves has
 * its number of instances at once.
 *
 * @param branch of a git host: deployed where a deployment names no commit
 * @param instances how many copies of what serves take its requests; a site has none
 * @param autoDeploy whether a push to the branch deploys it
 * @param previewForks whether a pull request from another repository gets a preview too
 * @param sleepAfter how long nobody asks for it until its program is stopped, to be started by the
 *     next request; without it, it always runs
 * @param database what its deployments are given to work with
 * @param overrides how it is built and started, where the user says so
 */
public record Settings(
    Optional<String> branch,
    String instanceType,
    int instances,
    boolean autoDeploy,
    Previews previews,
    boolean previewForks,
    Optional<Duration> sleepAfter,
    Optional<DatabaseId> database,
    Overrides overrides) {
  /** What a program is asked for where neither its owner nor the program itself says. */
  public static final String HEALTH_CHECK_PATH = "/";

  /** The settings of a new project that says nothing else. */
  public static Settings of(String branch, String instanceType) {
    return new Settings(
        Optional.of(branch),
        instanceType,
        1,
        true,
        Previews.UNLISTED,
        false,
        Optional.empty(),
        Optional.empty(),
        Overrides.NONE);
  }

  /** The same with another database. */
  public Settings withDatabase(DatabaseId id) {
    return new Settings(
        branch,
        instanceType,
        instances,
        autoDeploy,
        previews,
        previewForks,
        sleepAfter,
        Optional.of(id),
        overrides);
  }
}
