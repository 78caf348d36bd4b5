package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.BUILDING;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.release.Release;
import dev.slipway.release.ReleaseRecord;
import dev.slipway.release.ReleaseStore;
import dev.slipway.source.Commit;
import dev.slipway.source.FakeSourceHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stands in for {@link BuildJob} where a real build, of seconds, is not the subject. A {@value
 * #SITE} becomes a site, everything else a program.
 */
final class HandBuild implements Job {
  static final String SITE = "react-vite";

  private final Database database;
  private final Records records;
  private final Moves moves;
  private final ReleaseStore releases;
  private final Path directory;
  private final Clock clock;

  HandBuild(
      Database database,
      Records records,
      Moves moves,
      ReleaseStore releases,
      Path directory,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.moves = moves;
    this.releases = releases;
    this.directory = directory;
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return BuildJob.KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    DeploymentId id = new DeploymentId(subjectId);
    database.inTransaction(tx -> moves.begun(tx, id, QUEUED, BUILDING)).ifPresent(this::build);
    return Outcome.DONE;
  }

  private void build(Deployment deployment) {
    String framework = deployment.framework().orElse("node-express");
    Release release = releases.pack(ReleaseId.of(deployment.id()), tree(deployment));
    Commit commit = deployment.code().commit().orElse(FakeSourceHost.HEAD);
    database.useTransaction(tx -> {
      records.deployments().resolved(tx, deployment.id(), deployment.attempt(), commit);
      records.deployments().detected(tx, deployment.id(), deployment.attempt(), framework);
      records
          .releases()
          .insert(
              tx,
              new ReleaseRecord(
                  release, deployment.projectId(), framework, serving(framework), List.of()),
              clock.instant());
      moves.built(tx, deployment, release.id());
      Jobs.schedule(tx, ActivateJob.KIND, deployment.id().value(), deployment.times().created());
    });
  }

  private static Serving serving(String framework) {
    return framework.equals(SITE)
        ? new Serving.Site("", Optional.of("index.html"), false)
        : Serving.Program.of(List.of("node", "server.js"), Map.of("NODE_ENV", "production"));
  }

  private Path tree(Deployment deployment) {
    try {
      Path tree = Files.createDirectories(directory.resolve(deployment.id().value()));
      Files.writeString(tree.resolve("server.js"), "// " + deployment.id());
      return tree;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    throw new IllegalStateException("a build by hand failed", cause);
  }
}
