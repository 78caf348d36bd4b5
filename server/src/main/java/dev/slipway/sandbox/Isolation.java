package dev.slipway.sandbox;

import java.util.List;

/** A way to keep a program apart from the rest of the host. */
sealed interface Isolation permits Bubblewrap, Namespaces, PlainProcess {
  /** In words for the operator. */
  String describe();

  /** Whether {@link SandboxSpec.Files.CopyOnWrite} is mounted; otherwise the tree is copied. */
  boolean overlay();

  /** Whether each program has a user of the host for itself. */
  boolean ownUser();

  /** Whether a program sees no processes but its own. */
  boolean ownProcesses();

  /** Whether a program sees few of the host's files. */
  boolean ownFiles();

  /** Whether a program can be in another network than the host's. */
  boolean ownNetwork();

  /** Where the program finds what is its own, as paths that it sees. */
  Places places(Room room);

  /** What comes before the program in an argument vector to run it in the room, as its user. */
  List<String> enter(Room room);

  /**
   * @param app the working directory
   */
  record Places(String app, String home, String tmp) {}
}
