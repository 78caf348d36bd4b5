package dev.slipway.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What one program is to find around it, as paths of the host.
 *
 * @param run the directory of the run; its {@code home} and {@code tmp} are the program's
 * @param app what the program sees as its directory, or the options that mount it there
 * @param readOnly directories that it may read
 * @param uid its user where we are root
 * @param network that it is in; its own where there is one
 */
record Room(
    Path run,
    App app,
    List<Path> readOnly,
    int uid,
    Cgroup cgroup,
    Optional<OutsideNetwork> network) {
  Path home() {
    return run.resolve("home");
  }

  Path tmp() {
    return run.resolve("tmp");
  }

  /** Who answers for names of hosts; for a network of its own. */
  Path resolver() {
    return run.resolve("resolv.conf");
  }

  sealed interface App {
    /** This directory itself. */
    record Directory(Path path) implements App {}

    /** The layers, the first above the others, with {@code scratch/upper} on top: to be mounted. */
    record Overlay(List<Path> lower, Path scratch) implements App {
      /**
       * With marks that a plain user may write, and read, whoever mounts it. Volatile: else the
       * program's end waits until all that anybody has written to the disk is on it.
       */
      String options() {
        return "userxattr,volatile,lowerdir=%s,upperdir=%s,workdir=%s"
            .formatted(
                lower.stream().map(Overlay::escaped).collect(Collectors.joining(":")),
                escaped(scratch.resolve("upper")),
                escaped(scratch.resolve("work")));
      }

      private static String escaped(Path path) {
        return path.toString().replaceAll("[\\\\:,]", "\\\\$0");
      }

      Path mountPoint() {
        return scratch.resolve("merged");
      }
    }
  }
}
