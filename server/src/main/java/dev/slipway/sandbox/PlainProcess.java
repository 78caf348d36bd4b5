package dev.slipway.sandbox;

import java.util.ArrayList;
import java.util.List;

/**
 * Nothing but a session of its own, for hosts that allow no namespaces, as most containers.
 *
 * @param ownUser whether we are root and give each program a user
 */
record PlainProcess(boolean ownUser) implements Isolation {
  @Override
  public String describe() {
    return (ownUser ? "own user" : "no own user") + ", no namespaces, files copied";
  }

  @Override
  public boolean overlay() {
    return false;
  }

  @Override
  public boolean ownProcesses() {
    return false;
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
    return switch (room.app()) {
      case Room.App.Directory app ->
          new Places(app.path().toString(), room.home().toString(), room.tmp().toString());
      case Room.App.Overlay _ -> throw new IllegalArgumentException("nothing can be mounted");
    };
  }

  @Override
  public List<String> enter(Room room) {
    List<String> argv = new ArrayList<>();
    argv.add(Commands.find("setsid").orElseThrow());
    Commands.find("setpriv")
        .ifPresent(setpriv ->
            argv.addAll(
                ownUser
                    ? HostUser.become(setpriv, room.uid())
                    : List.of(setpriv, "--no-new-privs", "--")));
    return argv;
  }
}
