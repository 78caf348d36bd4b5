package dev.slipway.build;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Turns;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.Frameworks;
import dev.slipway.framework.Overrides;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * Finds out how an application would be built: fetches it and plans, runs nothing of it and leaves
 * nothing. Thread-safe; few run at once, fewer of one account, others wait.
 */
public final class DryRun {
  private static final int AT_ONCE = 4;

  private final Path builds;
  private final Frameworks frameworks;
  private final Duration limit;
  private final Runnable room;
  private final Turns turns = new Turns(AT_ONCE);

  /**
   * @param dataDir that of the {@link BuildPipeline}, which deletes at its start what a killed
   *     server left of these
   * @param limit for one, the wait for others included
   * @param room makes room for a build, or fails as that would
   */
  public DryRun(Path dataDir, Frameworks frameworks, Duration limit, Runnable room) {
    this.builds = dataDir.resolve("builds");
    this.frameworks = frameworks;
    this.limit = limit;
    this.room = room;
  }

  /**
   * Blocks for as long as the limit allows.
   *
   * @param variables names of those that are set
   * @throws dev.slipway.core.AppFailure what a build would fail with
   * @throws RequestException {@code UNAVAILABLE} when the time is over
   */
  public BuildPlan plan(
      AccountId account, Source source, Overrides overrides, Set<String> variables)
      throws InterruptedException {
    try (TimeLimit time = new TimeLimit(limit)) {
      try {
        try (Turns.Turn _ = turns.take(account)) {
          room.run();
          return fetched(source, overrides, variables);
        }
      } catch (InterruptedException | CancellationException | UncheckedIOException e) {
        if (time.expired()) {
          throw new RequestException(
              ErrorCode.UNAVAILABLE,
              "Fetching and planning the application took longer than %d s; try again, or migrate it without dry_run."
                  .formatted(limit.toSeconds()));
        }
        throw e;
      }
    }
  }

  private BuildPlan fetched(Source source, Overrides overrides, Set<String> variables) {
    try {
      Files.createDirectories(builds);
      Path directory = Files.createTempDirectory(builds, "dry-run-");
      try {
        String sha = source.resolve();
        return frameworks.plan(
            source.fetch(sha, directory.resolve("source")), overrides, variables);
      } finally {
        Trees.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to " + builds + " failed", e);
    }
  }
}
