package dev.slipway.sandbox;

import dev.slipway.sandbox.SandboxSpec.Files.CopyOnWrite;
import dev.slipway.sandbox.SandboxSpec.Files.Writable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the files of a room before its program comes.
 *
 * @param root whether they must be given to the program's user
 */
record Furnishing(Toolchain toolchain, boolean root) {
  /** Makes the run's directory with the program's own places in it, and its view of the app. */
  Room furnish(SandboxSpec spec, Isolation isolation, Cgroup cgroup) {
    try {
      Path run = Files.createDirectories(spec.runDirectory()).toRealPath();
      permit(run, "rwx--x--x"); // without namespaces the program goes through it
      makeOwned(run.resolve("home"), "rwx------", spec.uid());
      makeOwned(run.resolve("tmp"), "rwx------", spec.uid());
      writeAccounts(run, spec.uid());
      new RunFiles(run).write(cgroup);
      List<Path> readOnly = new ArrayList<>(toolchain.directories());
      readOnly.addAll(spec.readOnly());
      Optional<OutsideNetwork> network =
          spec.network() instanceof OutsideNetwork own ? Optional.of(own) : Optional.empty();
      Room room = new Room(run, app(spec, isolation), readOnly, spec.uid(), cgroup, network);
      if (network.isPresent()) {
        writeResolver(room.resolver());
      }
      return room;
    } catch (IOException e) {
      throw new UncheckedIOException("preparing " + spec.runDirectory() + " failed", e);
    }
  }

  private Room.App app(SandboxSpec spec, Isolation isolation) throws IOException {
    return switch (spec.files()) {
      case Writable(Path directory) -> new Room.App.Directory(directory.toRealPath());
      case CopyOnWrite(List<Path> layers, Path scratch) -> {
        Files.createDirectories(scratch);
        if (isolation.overlay()) {
          makeOwned(scratch.resolve("upper"), "rwxr-xr-x", spec.uid());
          // An overlay that is volatile leaves a mark there, which the next one refuses.
          Trees.delete(scratch.resolve("work"));
          Files.createDirectories(scratch.resolve("work"));
          Files.createDirectories(scratch.resolve("merged"));
          List<Path> lower = new ArrayList<>();
          for (Path layer : layers) {
            lower.add(layer.toRealPath());
          }
          yield new Room.App.Overlay(lower, scratch.toRealPath());
        }
        permit(scratch, "rwx--x--x");
        yield new Room.App.Directory(copied(layers, scratch.toRealPath(), spec.uid()));
      }
    };
  }

  private Path copied(List<Path> layers, Path scratch, int uid) throws IOException {
    Path copy = scratch.resolve("copy");
    Trees.delete(copy);
    Files.createDirectory(copy);
    for (Path layer : layers.reversed()) {
      Commands.run(
          List.of(
              "cp", "-aT", "--reflink=auto", "--force", "--", layer.toString(), copy.toString()));
    }
    Commands.run(List.of("chmod", "-R", "u+rwX", "--", copy.toString()));
    if (root) {
      Commands.run(List.of("chown", "-hR", uid + ":" + uid, "--", copy.toString()));
    }
    return copy;
  }

  private void makeOwned(Path directory, String permissions, int uid) throws IOException {
    Files.createDirectories(directory);
    permit(directory, permissions);
    if (root) {
      Files.setAttribute(directory, "unix:uid", uid);
      Files.setAttribute(directory, "unix:gid", uid);
    }
  }

  /** Programs ask for the name and home of their user. */
  private static void writeAccounts(Path run, int uid) throws IOException {
    Object id = Commands.root() ? uid : Files.getAttribute(run, "unix:uid");
    Path passwd = run.resolve("passwd");
    Files.writeString(
        passwd, "root:x:0:0::/:/usr/sbin/nologin\napp:x:%s:%s::/home:/bin/sh\n".formatted(id, id));
    Path group = run.resolve("group");
    Files.writeString(group, "root:x:0:\napp:x:%s:\n".formatted(id));
    permit(passwd, "rw-r--r--");
    permit(group, "rw-r--r--");
  }

  /** The host's own may listen on its loopback address. */
  private static void writeResolver(Path file) throws IOException {
    Path ofHost = Path.of("/etc/resolv.conf");
    List<String> lines = new ArrayList<>(List.of("nameserver " + OutsideNetwork.RESOLVER));
    if (Files.isReadable(ofHost)) {
      Files.readAllLines(ofHost).stream()
          .filter(line -> line.startsWith("search") || line.startsWith("options"))
          .forEach(lines::add);
    }
    Files.write(file, lines);
    permit(file, "rw-r--r--");
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
