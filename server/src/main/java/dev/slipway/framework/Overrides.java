package dev.slipway.framework;

import java.util.Optional;

/**
 * What the user decided about a build. Each wins over what is found out.
 *
 * @param rootDirectory of the application in its repository, for example {@code apps/web}
 * @param installCommand a line as it would be typed, see the API's field of that name; so are the
 *     other commands
 * @param outputDirectory of a site, relative to the root directory
 */
public record Overrides(
    Optional<String> framework,
    Optional<String> rootDirectory,
    Optional<String> installCommand,
    Optional<String> buildCommand,
    Optional<String> startCommand,
    Optional<String> outputDirectory,
    Optional<String> healthCheckPath) {
  public static final Overrides NONE =
      new Overrides(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  public Overrides in(String directory) {
    return new Overrides(
        framework,
        Optional.of(directory),
        installCommand,
        buildCommand,
        startCommand,
        outputDirectory,
        healthCheckPath);
  }
}
