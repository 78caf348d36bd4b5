package dev.slipway.dashboard;

import dev.slipway.sandbox.Protection;
import java.util.List;

/** What the isolation of programs means for who runs them, one sentence for each part of it. */
final class IsolationFindings {
  private IsolationFindings() {}

  static List<ServerPage.Finding> of(Protection protection) {
    return List.of(
        finding(
            protection.ownFiles(),
            "Each program sees its own files, home and /tmp, and of the host /usr and a few files of /etc, read-only.",
            "Programs see the host's files as far as their user may read them, but not the server's own. Install bubblewrap on the host, so that they see theirs alone."),
        finding(
            protection.ownUser(),
            "Each program and each build runs as a user of its own.",
            "All programs run as the server's own user. Run the server as root, so that each gets a user of its own."),
        finding(
            protection.ownProcesses(),
            "Programs see only their own processes.",
            "Programs see the processes of others: the host allows no namespaces."),
        finding(
            protection.limits(),
            "Memory and processes are bounded by the kernel, and processor time is shared by weight.",
            "The kernel does not bound memory and processes: one program can use up the host. Give the server a cgroup that it may divide."),
        protection
            .buildsShareNetwork()
            .map(advice ->
                new ServerPage.Finding(
                    false,
                    "Builds share the host's network and reach what listens on its loopback; %s."
                        .formatted(advice)))
            .orElseGet(() ->
                new ServerPage.Finding(
                    true, "Builds have a network of their own: the outside, not this host.")),
        new ServerPage.Finding(
            false,
            "Running programs share the host's network and can reach what listens on its loopback. Host only programs that you would run beside each other."));
  }

  private static ServerPage.Finding finding(boolean good, String sentence, String otherwise) {
    return new ServerPage.Finding(good, good ? sentence : otherwise);
  }
}
