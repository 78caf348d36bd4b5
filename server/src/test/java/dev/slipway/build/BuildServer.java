package dev.slipway.build;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ReleaseId;
import java.net.URI;
import java.nio.file.Path;

/** A program of its own that builds once, to be killed while it does. */
final class BuildServer {
  private BuildServer() {}

  /**
   * @param arguments data directory, address of the repositories, deployment, release
   */
  public static void main(String[] arguments) throws InterruptedException {
    BuildPlace place =
        new BuildPlace(
            Path.of(arguments[0]),
            URI.create(arguments[1]),
            new DeploymentId(arguments[2]),
            new ReleaseId(arguments[3]),
            EnvVars.NONE);
    place
        .pipeline(BuildPlace.LIMITS, BuildPlace.TIMEOUT)
        .run(place.request(place.host(), new SeenSteps()), place.log(new KeptLog()));
  }
}
