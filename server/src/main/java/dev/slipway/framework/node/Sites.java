package dev.slipway.framework.node;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving.Site;
import java.util.Optional;

/** Directories that builds write sites to. */
final class Sites {
  private Sites() {}

  /**
   * @param directory relative to the application's
   */
  static Site site(Place app, String directory, Optional<String> fallback) {
    String path =
        app.path(directory)
            .orElseThrow(() ->
                new AppFailure(
                    FailureCode.BUILD_FAILED,
                    "The output directory %s is not inside the repository. Set output_directory to one that is."
                        .formatted(directory)));
    return new Site(path, fallback, true);
  }
}
