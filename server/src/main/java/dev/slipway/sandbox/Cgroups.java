package dev.slipway.sandbox;

import dev.slipway.core.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a cgroup for each program, below a parent {@code slipway} in the cgroup that this server
 * itself is in: that one is ours wherever somebody bounds us or has delegated one to us.
 */
final class Cgroups {
  private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);
  private static final String PARENT = "slipway";

  /** Processes of the sandbox itself that share the program's group. */
  private static final int OWN_PROCESSES = 6;

  private static final int ATTEMPTS = 5;

  /** How a host offers its limits. */
  enum Version {
    V1,
    V2,
    NONE
  }

  private final Version version;

  /** One directory a hierarchy: the parents of our groups. */
  private final List<Path> parents;

  private Cgroups(Version version, List<Path> parents) {
    this.version = version;
    this.parents = parents;
  }

  /** The best that this host lets us use, found out by making a group and limiting it. */
  static Cgroups detect() {
    CgroupMounts mounts = CgroupMounts.read();
    List<Cgroups> candidates = new ArrayList<>();
    mounts.unified().ifPresent(own -> candidates.add(unified(own)));
    mounts.v1("memory", "pids", "cpu").ifPresent(own -> candidates.add(below(Version.V1, own)));
    return candidates.stream().filter(Cgroups::usable).findFirst().orElse(none());
  }

  static Cgroups none() {
    return new Cgroups(Version.NONE, List.of());
  }

  private static Cgroups unified(Path own) {
    return below(Version.V2, List.of(own));
  }

  private static Cgroups below(Version version, List<Path> own) {
    return new Cgroups(version, own.stream().map(path -> path.resolve(PARENT)).toList());
  }

  boolean limits() {
    return version != Version.NONE;
  }

  String describe() {
    return switch (version) {
      case V1 -> "cgroup v1";
      case V2 -> "cgroup v2";
      case NONE -> "no limits";
    };
  }

  /** A group with these limits; an older one of the same name is ended first. */
  Cgroup create(String name, Limits limits) {
    Cgroup group = new Cgroup(parents.stream().map(parent -> parent.resolve(name)).toList());
    group.end();
    try {
      makeDirectories(group);
      switch (version) {
        case V1 -> limitV1(group, limits);
        case V2 -> limitV2(group, limits);
        case NONE -> {}
      }
    } catch (IOException e) {
      group.end();
      throw new UncheckedIOException("making the cgroup of " + name + " failed", e);
    }
    return group;
  }

  /** The end of another group may take the empty parent away between two steps of ours. */
  private void makeDirectories(Cgroup group) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        for (Path directory : group.directories()) {
          Path parent = directory.resolveSibling("");
          Files.createDirectories(parent);
          if (version == Version.V2) {
            write(parent.resolve("cgroup.subtree_control"), "+memory +pids +cpu");
          }
          Files.createDirectories(directory);
        }
        return;
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void limitV1(Cgroup group, Limits limits) throws IOException {
    String bytes = Long.toString((long) limits.memoryMb() << 20);
    Path memory = group.directories().get(0);
    write(memory.resolve("memory.limit_in_bytes"), bytes);
    Path withSwap = memory.resolve("memory.memsw.limit_in_bytes");
    if (Files.exists(withSwap)) {
      write(withSwap, bytes);
    }
    write(group.directories().get(1).resolve("pids.max"), processes(limits));
    write(
        group.directories().get(2).resolve("cpu.shares"),
        Long.toString(Math.max(2, Math.round(1024 * limits.cpus()))));
  }

  private static void limitV2(Cgroup group, Limits limits) throws IOException {
    Path directory = group.directories().getFirst();
    write(directory.resolve("memory.max"), Long.toString((long) limits.memoryMb() << 20));
    Path swap = directory.resolve("memory.swap.max");
    if (Files.exists(swap)) {
      write(swap, "0");
    }
    write(directory.resolve("pids.max"), processes(limits));
    write(
        directory.resolve("cpu.weight"),
        Long.toString(Math.clamp(Math.round(100 * limits.cpus()), 1, 10_000)));
  }

  private static String processes(Limits limits) {
    return Integer.toString(limits.processes() + OWN_PROCESSES);
  }

  private boolean usable() {
    try {
      if (version == Version.V2) {
        delegate(parents.getFirst().resolveSibling(""));
      }
      create("probe-" + ProcessHandle.current().pid(), new Limits(64, 1, 16)).end();
      return true;
    } catch (IOException | UncheckedIOException refused) {
      LOG.debug("{} cannot be used here", describe(), refused);
      return false;
    }
  }

  /**
   * Lets groups below ours have limits. The kernel demands that a group which gives limits to
   * others holds no process itself, so this server moves into one of its own.
   */
  private static void delegate(Path own) throws IOException {
    Path control = own.resolve("cgroup.subtree_control");
    try {
      write(control, "+memory +pids +cpu");
    } catch (IOException holdsProcesses) {
      Path server = Files.createDirectories(own.resolve(PARENT + "-server"));
      write(server.resolve("cgroup.procs"), "0");
      write(control, "+memory +pids +cpu");
    }
  }

  private static void write(Path file, String value) throws IOException {
    Files.write(file, value.getBytes(StandardCharsets.US_ASCII));
  }
}
