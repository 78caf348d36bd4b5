package dev.slipway.sandbox;

import java.util.List;

/** How a program gets to run as a user other than root, with no rights to be had back. */
final class HostUser {
  private HostUser() {}

  static List<String> become(String setpriv, int uid) {
    return List.of(
        setpriv,
        "--reuid=" + uid,
        "--regid=" + uid,
        "--clear-groups",
        "--no-new-privs",
        "--bounding-set=-all",
        "--inh-caps=-all",
        "--");
  }
}
