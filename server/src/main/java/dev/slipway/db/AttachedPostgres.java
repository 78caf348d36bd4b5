package dev.slipway.db;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The embedded PostgreSQL, for a command beside the server: the one that the server runs, or, while
 * there is no server, one that lives as long as the command.
 */
public final class AttachedPostgres implements AutoCloseable {
  /** A server that has the directory brings its store up within this, or never. */
  private static final Duration STARTING_MAY_TAKE = Duration.ofSeconds(30);

  private final StoreAddress address;
  private final Optional<Ours> ours;

  private AttachedPostgres(StoreAddress address, Optional<Ours> ours) {
    this.address = address;
    this.ours = ours;
  }

  /** What was started for the command, and the directory that no server gets meanwhile. */
  private record Ours(EmbeddedPostgres postgres, DirectoryLock directory) {}

  /**
   * @throws IllegalStateException with a sentence for the operator: there is no data directory yet,
   *     it is another user's, or a server has it whose store does not come up
   */
  public static AttachedPostgres open(Path dataDir) {
    PostgresSettings settings = PostgresSettings.below(dataDir);
    requireOurs(dataDir, settings);
    Deque<DirectoryLock> held = new ArrayDeque<>();
    // A server that starts has the directory before its store is up, and one that ends has it for
    // longer: until that is over, neither the one nor the other can be had.
    Pause.until(
        () -> {
          DirectoryLock.tryAcquire(dataDir).ifPresent(held::push);
          return !held.isEmpty() || EmbeddedPostgres.running(settings).isPresent();
        },
        STARTING_MAY_TAKE);
    if (!held.isEmpty()) {
      return start(settings, held.pop());
    }
    return EmbeddedPostgres.running(settings)
        .map(running -> new AttachedPostgres(running, Optional.empty()))
        .orElseThrow(() ->
            new IllegalStateException(
                "a server uses %s, but its store is not up: look at the server's log"
                    .formatted(dataDir)));
  }

  public StoreAddress address() {
    return address;
  }

  /** Ends what was started for the command; a server's store goes on. */
  @Override
  public void close() {
    ours.ifPresent(it -> {
      it.postgres().close();
      it.directory().close();
    });
  }

  private static AttachedPostgres start(PostgresSettings settings, DirectoryLock directory) {
    try {
      EmbeddedPostgres postgres = EmbeddedPostgres.start(settings);
      return new AttachedPostgres(postgres.address(), Optional.of(new Ours(postgres, directory)));
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private static void requireOurs(Path dataDir, PostgresSettings settings) {
    try {
      ClusterOwner owner = ClusterOwner.of(settings).orElseThrow(() -> noServerYet(dataDir));
      if (!owner.isThisUser()) {
        throw new IllegalStateException(
            "the server in %s runs as %s: run this command as that user"
                .formatted(dataDir, owner.name()));
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "%s cannot be looked into (%s): run this command as the user that runs the server"
              .formatted(dataDir, e.getMessage()),
          e);
    }
  }

  private static IllegalStateException noServerYet(Path dataDir) {
    return new IllegalStateException(
        "there is no server in %s yet: start it once with ./slipway server, or name its configuration with --config"
            .formatted(dataDir));
  }
}
