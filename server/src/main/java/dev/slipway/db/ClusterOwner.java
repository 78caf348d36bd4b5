package dev.slipway.db;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Optional;

/**
 * Who runs the server that a cluster belongs to. Another user, root included, who starts the
 * cluster would take its files away from that server.
 */
record ClusterOwner(UserPrincipal user) {
  /**
   * Empty where there is no cluster yet.
   *
   * @throws IllegalStateException where there is one whose keys are gone
   */
  static Optional<ClusterOwner> of(PostgresSettings settings) throws IOException {
    Path keys = Objects.requireNonNull(settings.passwordFile().getParent(), "a folder of keys");
    try {
      UserPrincipal cluster = Files.getOwner(settings.home().resolve("cluster"));
      if (Files.notExists(keys)) {
        throw new IllegalStateException(
            "the folder %s is missing: put it back from a backup".formatted(keys));
      }
      UserPrincipal secrets = Files.getOwner(keys);
      // A server of root gives the cluster to PostgreSQL's account, and keeps the keys; unless an
      // ordinary user ran it before, whose keys they then still are.
      return Optional.of(new ClusterOwner(cluster.equals(secrets) ? secrets : root()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  boolean isThisUser() throws IOException {
    return user.equals(Files.getOwner(Path.of("/proc/self")));
  }

  String name() {
    return user.getName();
  }

  private static UserPrincipal root() throws IOException {
    return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("root");
  }
}
