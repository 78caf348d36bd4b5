package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Namespaces and a root file system of its own, by bubblewrap.
 *
 * <p>Where we are root, bubblewrap itself runs as root, so that it reaches files below directories
 * that are closed to others; the program becomes its user inside. Where we are not, all of it
 * happens in a user namespace. See docs/decisions/002-sandbox.md.
 *
 * @param root whether we are root
 */
record Bubblewrap(Scripts scripts, String bwrap, boolean root, boolean overlay)
    implements Isolation {
  private static final String APP = "/app";

  private static final String RESOLVER = "/etc/resolv.conf";

  /** The few files of /etc that ordinary programs read. */
  private static final List<String> ETC =
      Stream.of(
              "hosts",
              "host.conf",
              "nsswitch.conf",
              "gai.conf",
              "services",
              "protocols",
              "localtime",
              "timezone",
              "os-release",
              "mime.types",
              "ssl",
              "pki",
              "ca-certificates",
              "ca-certificates.conf",
              "alternatives",
              "ld.so.cache",
              "ld.so.conf",
              "ld.so.conf.d")
          .map(name -> "/etc/" + name)
          .toList();

  @Override
  public String describe() {
    return (root ? "own user, " : "")
        + "namespaces and file system of its own (bubblewrap)"
        + (overlay ? "" : ", files copied");
  }

  @Override
  public boolean ownUser() {
    return root;
  }

  @Override
  public boolean ownProcesses() {
    return true;
  }

  @Override
  public boolean ownFiles() {
    return true;
  }

  @Override
  public boolean ownNetwork() {
    return true;
  }

  @Override
  public Places places(Room room) {
    return new Places(APP, "/home", "/tmp");
  }

  @Override
  public List<String> enter(Room room) {
    List<String> argv = new ArrayList<>();
    room.network().ifPresent(network -> argv.addAll(network.enter()));
    argv.addAll(mounting(room));
    argv.addAll(List.of(bwrap, "--die-with-parent"));
    argv.addAll(List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"));
    argv.addAll(List.of("--cap-drop", "ALL"));
    argv.addAll(rights(room));
    argv.addAll(fileSystem(room));
    argv.addAll(List.of("--chdir", APP, "--"));
    if (root) {
      argv.addAll(HostUser.become(Commands.find("setpriv").orElseThrow(), room.uid()));
    }
    return argv;
  }

  /** The overlay needs a mount namespace around bubblewrap, which has none until it is in it. */
  private List<String> mounting(Room room) {
    List<String> argv = new ArrayList<>();
    String options = "-";
    String mountPoint = "-";
    if (room.app() instanceof Room.App.Overlay layers) {
      argv.add(Commands.find("unshare").orElseThrow());
      argv.addAll(
          root
              ? List.of("--mount", "--propagation", "slave")
              : List.of("--user", "--map-root-user", "--mount"));
      argv.add("--");
      options = layers.options();
      mountPoint = layers.mountPoint().toString();
    }
    String filter = filter().map(Path::toString).orElse("-");
    argv.addAll(List.of("/bin/sh", scripts.bubblewrap().toString(), filter, options, mountPoint));
    return argv;
  }

  private List<String> rights(Room room) {
    List<String> options = new ArrayList<>();
    if (root) {
      // Only what it takes to become the program's user, which drops them.
      for (String capability : List.of("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")) {
        options.addAll(List.of("--cap-add", capability));
      }
    } else {
      String uid = unix("uid", room.run());
      String gid = unix("gid", room.run());
      options.addAll(List.of("--unshare-user", "--disable-userns", "--uid", uid, "--gid", gid));
    }
    if (filter().isPresent()) {
      options.addAll(List.of("--seccomp", "5"));
    }
    return options;
  }

  private Optional<Path> filter() {
    return SeccompFilter.forThisMachine().map(scripts::seccompFilter);
  }

  private List<String> fileSystem(Room room) {
    List<String> options = new ArrayList<>(List.of("--ro-bind", "/usr", "/usr"));
    for (String name : List.of("bin", "sbin", "lib", "lib32", "lib64")) {
      options.addAll(systemDirectory(Path.of("/", name)));
    }
    options.addAll(parents(Path.of("/etc/passwd")));
    ETC.forEach(file -> options.addAll(List.of("--ro-bind-try", file, file)));
    String resolver = room.network().isPresent() ? room.resolver().toString() : RESOLVER;
    options.addAll(List.of("--ro-bind-try", resolver, RESOLVER));
    for (String file : List.of("passwd", "group")) {
      options.addAll(List.of("--ro-bind", room.run().resolve(file).toString(), "/etc/" + file));
    }
    options.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
    options.addAll(List.of("--perms", "1777", "--tmpfs", "/dev/shm"));
    options.addAll(List.of("--bind", room.tmp().toString(), "/tmp"));
    options.addAll(List.of("--bind", room.home().toString(), "/home"));
    options.addAll(ownLimits(room.cgroup()));
    for (Path directory : room.readOnly()) {
      options.addAll(parents(directory));
      options.addAll(List.of("--ro-bind", directory.toString(), directory.toString()));
    }
    Path app =
        switch (room.app()) {
          case Room.App.Directory(Path path) -> path;
          case Room.App.Overlay layers -> layers.mountPoint();
        };
    options.addAll(List.of("--bind", app.toString(), APP));
    return options;
  }

  /** Those that bubblewrap makes by itself are closed to all users but its own. */
  private static List<String> parents(Path path) {
    List<String> options = new ArrayList<>();
    for (int names = 1; names < path.getNameCount(); names++) {
      String parent = "/" + path.subpath(0, names);
      options.addAll(List.of("--perms", "0755", "--dir", parent));
    }
    return options;
  }

  private static List<String> systemDirectory(Path path) {
    try {
      if (Files.isSymbolicLink(path)) {
        return List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString());
      }
      return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          ? List.of("--ro-bind", path.toString(), path.toString())
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("reading the link " + path + " failed", e);
    }
  }

  /**
   * Node and others size themselves by these; without them they take the host's memory for theirs.
   */
  private static List<String> ownLimits(Cgroup cgroup) {
    if (cgroup.directories().isEmpty()) {
      return List.of();
    }
    boolean unified = cgroup.directories().size() == 1;
    Path seenAt = Path.of(unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
    List<String> options = new ArrayList<>(parents(seenAt));
    Path group = cgroup.directories().getFirst();
    options.addAll(List.of("--ro-bind", group.toString(), seenAt.toString()));
    return options;
  }

  private static String unix(String attribute, Path path) {
    try {
      return Files.getAttribute(path, "unix:" + attribute).toString();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + path + " failed", e);
    }
  }
}
