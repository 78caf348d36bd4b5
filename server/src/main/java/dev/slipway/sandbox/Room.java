package dev.slipway.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one program is to find around it, as paths of the host.
 *
 * @param run the directory of the run; its {@code home} and {@code tmp} are the program's
 * @param app what the program sees as its directory, or the options that mount it there
 * @param readOnly directories that it may read
 * @param uid its user where we are root
 */
record Room(Path run, App app, List<Path> readOnly, int uid, Cgroup cgroup) {
  Path home() {
    return run.resolve("home");
  }

  Path tmp() {
    return run.resolve("tmp");
  }

  sealed interface App {
    /** This directory itself. */
    record Directory(Path path) implements App {}

    /** The layers, the first above the others, with {@code scratch/upper} on top: to be mounted. */
    record Overlay(List<Path> lower, Path scratch) implements App {
      String options(boolean root) {
        String layers =
            "lowerdir=%s,upperdir=%s,workdir=%s"
                .formatted(
                    lower.stream().map(Path::toString).collect(Collectors.joining(":")),
                    scratch.resolve("upper"),
                    scratch.resolve("work"));
        return root ? layers : "userxattr," + layers; // a plain user may not write trusted ones
      }

      Path mountPoint() {
        return scratch.resolve("merged");
      }
    }
  }
}
