package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the hierarchies of cgroups are mounted, and where in them this process is.
 *
 * @param mounts lines of {@code /proc/self/mounts}
 * @param own lines of {@code /proc/self/cgroup}: {@code id:controllers:path}
 */
record CgroupMounts(List<String> mounts, List<String> own) {
  static CgroupMounts read() {
    try {
      return new CgroupMounts(
          Files.readAllLines(Path.of("/proc/self/mounts")),
          Files.readAllLines(Path.of("/proc/self/cgroup")));
    } catch (IOException e) {
      throw new UncheckedIOException("/proc must be mounted", e);
    }
  }

  /** Our group of version 2, where memory and processes can be limited with it. */
  Optional<Path> unified() {
    return mountPoint("cgroup2", "")
        .map(mount -> ownBelow(mount, ""))
        .filter(path -> controllers(path).containsAll(List.of("memory", "pids")));
  }

  /** Our group in each of these hierarchies of version 1; empty if one is missing. */
  Optional<List<Path>> v1(String... controllers) {
    List<Path> found = new ArrayList<>();
    for (String controller : controllers) {
      mountPoint("cgroup", controller)
          .map(mount -> ownBelow(mount, controller))
          .ifPresent(found::add);
    }
    return found.size() == controllers.length ? Optional.of(found) : Optional.empty();
  }

  private Optional<Path> mountPoint(String type, String controller) {
    for (String line : mounts) {
      String[] fields = line.split(" ", -1);
      if (fields[2].equals(type)
          && (controller.isEmpty()
              || Arrays.asList(fields[3].split(",", -1)).contains(controller))) {
        return Optional.of(Path.of(fields[1]));
      }
    }
    return Optional.empty();
  }

  /** In a container the path may name a group outside of what is mounted: then it is the mount. */
  private Path ownBelow(Path mount, String controller) {
    for (String line : own) {
      String[] fields = line.split(":", 3);
      if (Arrays.asList(fields[1].split(",", -1)).contains(controller)) {
        Path path = mount.resolve(fields[2].substring(1));
        return Files.isDirectory(path) ? path : mount;
      }
    }
    return mount;
  }

  private static List<String> controllers(Path group) {
    try {
      return List.of(Files.readString(group.resolve("cgroup.controllers")).strip().split(" ", -1));
    } catch (IOException none) {
      return List.of();
    }
  }
}
