package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.BUILDING;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;

import dev.slipway.build.BuildObserver;
import dev.slipway.build.BuildPipeline;
import dev.slipway.build.BuildRequest;
import dev.slipway.build.BuiltRelease;
import dev.slipway.build.CacheOwner;
import dev.slipway.build.KeptReleases;
import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import dev.slipway.release.BuildKey;
import dev.slipway.release.ReleaseRecord;
import dev.slipway.runlog.Masker;
import dev.slipway.runlog.RunLog;
import dev.slipway.runlog.RunLogs;
import dev.slipway.source.Commit;
import dev.slipway.source.RepoName;
import dev.slipway.source.Source;
import dev.slipway.source.SourceHosts;
import dev.slipway.source.SourceRef;
import dev.slipway.upload.Uploads;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** From queued to a kept release; the activation is asked for in the same transaction. */
final class BuildJob implements Job {
  static final Kind KIND = new Kind("build", Queue.BUILDS);

  /** Until a database that was lost is there again. */
  static final Duration DATABASE_PAUSE = Duration.ofSeconds(2);

  private final Database database;
  private final Records records;
  private final Variables variables;
  private final Attempts attempts;
  private final SourceHosts sources;
  private final Uploads uploads;
  private final BuildPipeline pipeline;
  private final RunLogs logs;
  private final Moves moves;
  private final Clock clock;

  BuildJob(
      Database database,
      Records records,
      Variables variables,
      Attempts attempts,
      SourceHosts sources,
      Uploads uploads,
      BuildPipeline pipeline,
      RunLogs logs,
      Moves moves,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.variables = variables;
    this.attempts = attempts;
    this.sources = sources;
    this.uploads = uploads;
    this.pipeline = pipeline;
    this.logs = logs;
    this.moves = moves;
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    DeploymentId id = new DeploymentId(subjectId);
    if (database.read(tx -> variables.areComing(tx, id))) {
      return new Outcome.Again(DATABASE_PAUSE);
    }
    return attempts.attempt(id, QUEUED, BUILDING, this::build, this::clear);
  }

  private void clear(Deployment failed) {
    if (failed.releaseId().isEmpty()) {
      pipeline.discard(failed.id(), ReleaseId.of(failed.id()));
    }
  }

  private void build(Deployment deployment) throws InterruptedException {
    Given given;
    try {
      given = database.inTransaction(tx -> give(tx, deployment));
    } catch (AppFailure databaseIsGone) {
      fail(deployment, databaseIsGone.failure());
      return;
    }
    Masker masker = new Masker(given.secrets());
    BuiltRelease built;
    try (RunLogs.OpenLog open = logs.open(deployment.logId(), masker)) {
      if (deployment.attempt() > 1) {
        open.log().warning("This was interrupted; starting over.");
      }
      tell(given, open.log());
      built = pipeline.run(request(deployment, given), open.log());
    } catch (AppFailure e) {
      fail(deployment, new Failure(e.failure().code(), masker.mask(e.failure().message())));
      return;
    }
    database.useTransaction(tx -> {
      // The project is locked before its database, as whoever asks for a deployment does.
      if (built.reused()) {
        requireKept(tx, deployment, built.release().id());
      }
      requireCurrent(tx, deployment, given);
      keep(tx, deployment, built);
      TrimJob.schedule(tx, clock.instant());
    });
  }

  private void fail(Deployment deployment, Failure failure) {
    database.useTransaction(tx -> {
      moves.fail(tx, deployment, failure);
      TrimJob.schedule(tx, clock.instant());
    });
  }

  private Given give(Handle tx, Deployment deployment) {
    Given given = variables.give(tx, deployment);
    records
        .deployments()
        .builtWith(tx, deployment.id(), deployment.attempt(), given.managed().version());
    return given;
  }

  private static void tell(Given given, RunLog log) {
    if (!given.managed().env().values().isEmpty()) {
      log.info(
          "Variables of the database, for the build and for the program: %s."
              .formatted(String.join(", ", given.managedNames())));
    }
  }

  /** A build may have put the password of then into a file; it changes after this, or before. */
  private void requireCurrent(Handle tx, Deployment deployment, Given given) {
    if (!variables.holdVersion(tx, deployment).equals(given.managed().version())) {
      throw new TransientException(
          "the build of %s begins anew: its database has changed".formatted(deployment.id()));
    }
  }

  private void keep(Handle tx, Deployment deployment, BuiltRelease built) {
    DeploymentId id = deployment.id();
    Instant now = clock.instant();
    // Where it was ended, or taken over, there is nothing to keep.
    if (moves.built(tx, deployment, built.release().id())) {
      if (!built.reused()) {
        records.releases().insert(tx, record(deployment, built), now);
        built.key().ifPresent(key -> records.releases().builtFrom(tx, built.release().id(), key));
      }
      Jobs.schedule(tx, ActivateJob.KIND, id.value(), deployment.times().created());
    }
  }

  /** Whoever prunes holds the project too, and then sees that this deployment names the release. */
  private void requireKept(Handle tx, Deployment deployment, ReleaseId release) {
    records.projects().lock(tx, deployment.projectId());
    if (records.releases().findKept(tx, release).isEmpty()) {
      throw new TransientException(
          "the build of " + deployment.id() + " begins anew",
          new IllegalStateException(release + " was pruned while it was to be used again"));
    }
  }

  private Optional<BuiltRelease> kept(Deployment deployment, List<BuildKey> keys) {
    return database.read(tx ->
        keys.stream()
            .flatMap(key ->
                records.releases().findBuiltFrom(tx, deployment.projectId(), key).stream()
                    .flatMap(record -> reused(tx, record, key).stream()))
            .findFirst());
  }

  /** With its commit, which the deployments that it belongs to know. */
  private Optional<BuiltRelease> reused(Handle tx, ReleaseRecord record, BuildKey key) {
    return records.deployments().ofRelease(tx, record.release().id()).stream()
        .flatMap(id -> records.deployments().find(tx, id).stream())
        .flatMap(found -> found.code().commit().stream())
        .findFirst()
        .map(commit ->
            new BuiltRelease(
                record.release(),
                commit,
                record.framework(),
                record.serving(),
                record.tools(),
                Optional.of(key),
                true));
  }

  private BuildRequest request(Deployment deployment, Given given) {
    Project project =
        database.read(tx -> records.projects().find(tx, deployment.projectId())).orElseThrow();
    boolean ofStrangers = database.read(tx -> isOfFork(tx, project));
    return new BuildRequest(
        deployment.id(),
        ofStrangers
            ? CacheOwner.ofStrangers(deployment.accountId())
            : CacheOwner.of(deployment.accountId()),
        deployment.projectId(),
        source(project, deployment.code(), ofStrangers),
        project.settings().overrides(),
        given.own(),
        given.managed(),
        ReleaseId.of(deployment.id()),
        deployment.code().rebuild() ? KeptReleases.NONE : keys -> kept(deployment, keys),
        new Observer(deployment));
  }

  /** Whether who wrote it may not push to the account's own repository. */
  private boolean isOfFork(Handle tx, Project project) {
    return project
        .previewOf()
        .flatMap(id -> records.projects().find(tx, id))
        .filter(parent -> !isSame(parent.repo().orElseThrow(), project.repo().orElseThrow()))
        .isPresent();
  }

  /** No host tells names apart by upper and lower case alone. */
  private static boolean isSame(RepoName one, RepoName other) {
    return one.value().equalsIgnoreCase(other.value());
  }

  private Source source(Project project, Deployment.Code code, boolean ofStrangers) {
    if (code.upload().isPresent()) {
      return uploads.source(code.upload().get(), code.commit().orElseThrow());
    }
    return sources.source(
        project.source(),
        project.accountId(),
        new SourceRef(
            project.repo().orElseThrow(),
            code.branch().orElseThrow(),
            code.requestedSha(),
            ofStrangers));
  }

  private static ReleaseRecord record(Deployment deployment, BuiltRelease built) {
    return new ReleaseRecord(
        built.release(), deployment.projectId(), built.framework(), built.serving(), built.tools());
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    attempts.giveUp(new DeploymentId(subjectId));
  }

  /** Writes down what the pipeline finds out, as it does. */
  private final class Observer implements BuildObserver {
    private final Deployment deployment;

    Observer(Deployment deployment) {
      this.deployment = deployment;
    }

    @Override
    public void resolved(Commit commit) {
      database.useTransaction(
          tx -> records.deployments().resolved(tx, deployment.id(), deployment.attempt(), commit));
    }

    @Override
    public void detected(String framework) {
      database.useTransaction(tx ->
          records.deployments().detected(tx, deployment.id(), deployment.attempt(), framework));
    }

    @Override
    public void stepStarted(String name) {
      database.useTransaction(tx -> records.steps().started(tx, deployment, name, clock.instant()));
    }

    @Override
    public void stepEnded(String name, boolean succeeded) {
      database.useTransaction(
          tx -> records.steps().ended(tx, deployment, name, succeeded, clock.instant()));
    }
  }
}
