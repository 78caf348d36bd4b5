package dev.slipway.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Namespaces by {@code unshare}, for hosts without bubblewrap: the host's files stay in sight, save
 * the server's own and the home of its user.
 *
 * @param root whether we are root; otherwise all happens in a user namespace
 * @param hidden directories that programs shall not see
 */
record Namespaces(Scripts scripts, boolean root, boolean overlay, List<Path> hidden)
    implements Isolation {
  @Override
  public String describe() {
    return (root ? "own user, " : "user namespace, ")
        + "mount and process namespaces (unshare), host's files in sight"
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
    return false;
  }

  @Override
  public boolean ownNetwork() {
    return false;
  }

  @Override
  public Places places(Room room) {
    return new Places("/mnt/app", "/mnt/home", "/tmp");
  }

  @Override
  public List<String> enter(Room room) {
    List<String> argv = new ArrayList<>();
    argv.add(Commands.find("unshare").orElseThrow());
    if (!root) {
      argv.addAll(List.of("--user", "--map-root-user"));
    }
    argv.addAll(List.of("--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--"));
    argv.addAll(List.of("/bin/sh", scripts.namespaces().toString()));
    switch (room.app()) {
      case Room.App.Directory(Path path) -> argv.addAll(List.of("-", path.toString()));
      case Room.App.Overlay layers ->
          argv.addAll(List.of(layers.options(), layers.mountPoint().toString()));
    }
    argv.addAll(List.of(room.tmp().toString(), room.home().toString()));
    hidden.forEach(path -> argv.add(path.toString()));
    argv.add("--");
    room.readOnly().forEach(path -> argv.add(path.toString()));
    argv.add("--");
    String setpriv = Commands.find("setpriv").orElseThrow();
    argv.addAll(
        root
            ? HostUser.become(setpriv, room.uid())
            : List.of(setpriv, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"));
    return argv;
  }
}
