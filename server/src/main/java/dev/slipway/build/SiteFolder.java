package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving;
import dev.slipway.runlog.RunLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The directory that the build of a site has written: all that its release is made of. */
final class SiteFolder {
  private static final String INDEX = "index.html";

  /** Where builds write their output when nothing else is said. */
  private static final List<String> USUAL =
      List.of("dist", "build", "out", "_site", "public", "build/client", "dist/client");

  private SiteFolder() {}

  /**
   * @param app the application as its build left it; nothing runs there any more
   * @param root of the application, relative to {@code app} as the site's directory is; empty for
   *     that itself
   * @throws AppFailure {@code BUILD_FAILED} where there is no such directory
   */
  static Path of(Path app, String root, Serving.Site site, RunLog log) {
    String directory = site.directory();
    Path folder = app.resolve(directory).normalize();
    try {
      if (!folder.startsWith(app)
          || !Files.isDirectory(folder)
          || !folder.toRealPath().startsWith(app.toRealPath())) {
        throw new AppFailure(FailureCode.BUILD_FAILED, missing(app, root, directory));
      }
      Path real = folder.toRealPath();
      if (!Files.isRegularFile(real.resolve(site.fallback().orElse(INDEX)))) {
        log.warning(
            "There is no %s in %s: the site has no page at its root."
                .formatted(
                    site.fallback().orElse(INDEX),
                    directory.isEmpty() ? "the repository" : directory));
      }
      return real;
    } catch (IOException e) {
      throw new UncheckedIOException("the site in " + folder + " cannot be read", e);
    }
  }

  /** What to say of a directory that holds no file. */
  static AppFailure empty(String directory) {
    return new AppFailure(
        FailureCode.BUILD_FAILED,
        "The build left the directory %s empty; set output_directory to the one that it writes."
            .formatted(directory));
  }

  private static String missing(Path app, String root, String directory) {
    Path start = app.resolve(root).normalize();
    String found =
        USUAL.stream()
            .filter(name -> Files.isRegularFile(start.resolve(name).resolve(INDEX), NOFOLLOW_LINKS))
            .collect(Collectors.joining(" and "));
    return "The build wrote no directory %s; set output_directory to the one that it writes.%s"
        .formatted(directory, found.isEmpty() ? "" : " There is a page in %s.".formatted(found));
  }
}
