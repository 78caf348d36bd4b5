package dev.slipway.deployment;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.edge.Addresses;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Running;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.project.Crashing;
import dev.slipway.project.Label;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectAccess;
import dev.slipway.project.ProjectListener;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.RunLogs;
import dev.slipway.source.Commit;
import dev.slipway.upload.Uploads;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What a client can ask of deployments. Thread-safe. */
public final class DeploymentService implements ProjectListener {
  private static final Failure PROJECT_DELETED =
      new Failure(FailureCode.CANCELED, "The project was deleted.");
  private static final Failure PREVIEW_REMOVED =
      new Failure(FailureCode.CANCELED, "The preview was removed.");
  private static final Failure PUSHED =
      new Failure(
          FailureCode.SUPERSEDED,
          "The pull request was to be deployed again before this one had gone live.");

  private final Database database;
  private final Records records;
  private final Variables variables;
  private final DatabaseService databases;
  private final ProjectAccess projects;
  private final RunLogs logs;
  private final Instances instances;
  private final Moves moves;
  private final Cancellation cancellation;
  private final DeployedCode code;
  private final Addresses addresses;
  private final Clock clock;

  DeploymentService(
      Database database,
      Records records,
      Variables variables,
      DatabaseService databases,
      RunLogs logs,
      Instances instances,
      Moves moves,
      Uploads uploads,
      Addresses addresses,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.variables = variables;
    this.databases = databases;
    this.projects = new ProjectAccess(records.projects());
    this.logs = logs;
    this.instances = instances;
    this.moves = moves;
    this.cancellation = new Cancellation(records.deployments(), moves);
    this.code = new DeployedCode(records.projects(), uploads, clock);
    this.addresses = addresses;
    this.clock = clock;
  }

  /**
   * What went into production before and after a rollback was asked for.
   *
   * @param from the deployment that served when the request came
   */
  public record RollbackStarted(Deployment deployment, DeploymentId from, DeploymentId to) {}

  /**
   * A deployment with what the API tells beside it.
   *
   * @param previewUrl while its release is kept; absent in lists, which do not ask for it
   * @param crashing where it serves, and its program crashes again and again
   * @param steps absent in lists
   */
  public record Detail(
      Deployment deployment,
      String url,
      Optional<String> previewUrl,
      boolean current,
      Optional<Crashing> crashing,
      List<Step> steps) {}

  /**
   * Queues a deployment of a project.
   *
   * @param overrides variables of this deployment alone, on top of the project's
   * @param trigger where it was asked for
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}; {@code INVALID_REQUEST} where
   *     the variables are too many together, or the project's code comes from elsewhere
   */
  public Deployment trigger(
      AccountId account, ProjectId project, Wanted wanted, EnvVars overrides, Trigger trigger) {
    return database.inTransaction(tx -> {
      // Of two that bring an archive each, one is the latest.
      Project found =
          wanted.upload().isPresent()
              ? projects.lock(tx, account, project)
              : projects.share(tx, account, project);
      Deployment.Code chosen = code.choose(tx, found, wanted);
      return queue(tx, found, trigger, chosen, overrides);
    });
  }

  /** The first deployment of a migration: it writes to the migration's log. */
  public Deployment first(Handle tx, Project project, String logId) {
    Deployment.Code latest = code.choose(tx, project, Wanted.LATEST);
    return queue(tx, project, DeploymentId.next(), Trigger.MIGRATION, logId, latest, EnvVars.NONE);
  }

  /**
   * Queues a deployment of a commit that was pushed to the project's branch. Of pushes that still
   * wait the newest alone is worth building: earlier ones end as superseded.
   *
   * @param project its row is locked
   * @param sha 40 hex digits
   */
  public Deployment pushed(Handle tx, Project project, String sha) {
    Deployment.Code pushed =
        code.choose(tx, project, new Wanted(Optional.of(sha), Optional.empty(), false));
    Deployment deployment = queue(tx, project, Trigger.PUSH, pushed, EnvVars.NONE);
    failAll(tx, records.deployments().waitingPushes(tx, deployment), overtakenBy(deployment));
    return deployment;
  }

  /** Whether that commit serves the project, and nothing else is on its way there. */
  public boolean serves(Handle tx, Project project, String sha) {
    return project
            .liveDeploymentId()
            .flatMap(id -> records.deployments().find(tx, id))
            .flatMap(live -> live.code().commit())
            .filter(commit -> commit.sha().equals(sha))
            .isPresent()
        && records.deployments().newestUnfinished(tx, project.id()).isEmpty();
  }

  /** Whether no later push of the same commit is deployed by another one. */
  public boolean isLatestPush(Handle tx, Deployment push, String sha) {
    return records.deployments().isLatestPush(tx, push, sha);
  }

  /**
   * Whether that commit is what serves the project when all that is under way has ended well, as
   * far as that is known.
   */
  public boolean willServe(Handle tx, Project project, String sha) {
    return records
        .deployments()
        .newestUnfinished(tx, project.id())
        .or(() -> project.liveDeploymentId().flatMap(id -> records.deployments().find(tx, id)))
        .flatMap(it -> it.code().commit().map(Commit::sha).or(() -> it.code().requestedSha()))
        .filter(sha::equals)
        .isPresent();
  }

  /**
   * Queues a deployment of a pull request. Those of it that have not gone live end.
   *
   * @param project the row behind its preview, locked
   */
  public Deployment preview(Handle tx, Project project, Wanted wanted) {
    failAll(tx, records.deployments().unfinished(tx, project.id()), PUSHED);
    Deployment.Code chosen = code.choose(tx, project, wanted);
    return queue(tx, project, Trigger.PULL_REQUEST, chosen, EnvVars.NONE);
  }

  /** A deployment, whoever it belongs to. */
  public Optional<Deployment> find(Handle tx, DeploymentId id) {
    return records.deployments().find(tx, id);
  }

  /**
   * Queues a rollback: the target's release and variables go into production again; nothing is
   * built. Older unfinished deployments of the project end as superseded.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code ROLLBACK_NOT_ALLOWED}
   */
  public RollbackStarted rollback(AccountId account, DeploymentId targetId) {
    return database.inTransaction(tx -> {
      Deployment target = own(tx, account, targetId);
      Project project = projects.lock(tx, account, target.projectId());
      requireKept(tx, target);
      DeploymentId from =
          project
              .liveDeploymentId()
              .orElseThrow(
                  () -> new IllegalStateException(target.id() + " served, its project never"));
      Deployment rollback = rollbackOf(target, clock.instant());
      failAll(
          tx,
          records.deployments().olderUnfinished(tx, project.id(), rollback.id()),
          supersededBy(rollback));
      logs.create(tx, rollback.logId());
      moves.queued(
          tx,
          rollback,
          records.deployments().env(tx, target.id()),
          "Rolling back from %s to %s: the same release and variables, nothing is built."
              .formatted(from, target.id()));
      schedule(tx, ActivateJob.KIND, rollback);
      // The next push must not undo what was just asked for.
      records.projects().pauseAutoDeploy(tx, project.id(), clock.instant());
      return new RollbackStarted(rollback, from, target.id());
    });
  }

  /**
   * Ends a deployment that has not gone live; one that is canceled already stays as it is.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where it has
   *     ended otherwise
   */
  public Detail cancel(AccountId account, DeploymentId id) {
    return database.inTransaction(tx -> {
      own(tx, account, id);
      boolean canceled = cancellation.cancel(tx, id);
      Deployment deployment = own(tx, account, id);
      if (!canceled) {
        throw new RequestException(
            ErrorCode.CONFLICT,
            "Deployment %s is %s; only one that is queued, building or deploying can be canceled."
                .formatted(id, deployment.status().wireName()));
      }
      return describe(tx, deployment);
    });
  }

  /**
   * Ends a deployment, whoever it belongs to.
   *
   * @return whether it is canceled, now or before; false where it had ended otherwise
   */
  public boolean cancel(Handle tx, DeploymentId id) {
    return cancellation.cancel(tx, id);
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Detail get(AccountId account, DeploymentId id) {
    return database.read(tx -> describe(tx, own(tx, account, id)));
  }

  /**
   * What the deployment's program prints.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public ProgramLog programLog(AccountId account, DeploymentId id, ProgramPlaces places) {
    database.useTransaction(tx -> own(tx, account, id));
    return programLog(id, places);
  }

  /** What the deployment's program prints, whoever it belongs to. */
  public ProgramLog programLog(DeploymentId id, ProgramPlaces places) {
    return new ProgramLog(
        instances,
        () -> instances.all(id),
        () -> database.read(tx -> records.crashing().find(tx, id)),
        () -> database.read(tx -> mayStart(tx, id)),
        () -> database.read(tx -> variables.masker(tx, id)),
        places);
  }

  /** What runs of a deployment here, the oldest first. */
  public List<Running> running(DeploymentId id) {
    return instances.look(id);
  }

  /** Whether an instance may be started without anybody asking for it. */
  private boolean mayStart(Handle tx, DeploymentId id) {
    return records
        .deployments()
        .find(tx, id)
        .filter(it ->
            it.status().unfinished()
                || (records.deployments().isServing(tx, id) && !records.isSite(tx, it)))
        .isPresent();
  }

  /** What the API tells of a deployment, whoever it belongs to. */
  public Detail describe(Handle tx, Deployment deployment) {
    Project project = project(tx, deployment.projectId());
    boolean kept =
        !project.deleted()
            && project.settings().previews() != Previews.OFF
            && deployment.status().served()
            && deployment
                .releaseId()
                .flatMap(id -> records.releases().findKept(tx, id))
                .isPresent();
    return detail(
        deployment,
        project,
        kept ? Optional.of(addresses.ofApp(deployment.previewLabel())) : Optional.empty(),
        records.steps().list(tx, deployment.id()));
  }

  /**
   * At most {@code limit} deployments, newest first.
   *
   * @param before the last one of the page before
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN} for the project of the filter
   */
  public List<Detail> list(
      DeploymentStore.Filter filter, Optional<DeploymentId> before, int limit) {
    return database.read(tx -> {
      filter.project().ifPresent(project -> projects.ownEvenDeleted(tx, filter.account(), project));
      Map<ProjectId, Project> known = new HashMap<>();
      return records.deployments().list(tx, filter, before, limit).stream()
          .map(deployment ->
              detail(
                  deployment,
                  known.computeIfAbsent(deployment.projectId(), id -> project(tx, id)),
                  Optional.empty(),
                  List.of()))
          .toList();
    });
  }

  @Override
  public void previewsOff(Handle tx, Project project) {
    for (DeploymentId awake : records.deployments().awakePreviews(tx, project.id())) {
      Jobs.schedule(tx, RetireJob.KIND, awake.value(), clock.instant());
    }
  }

  @Override
  public void resized(Handle tx, Project project) {
    ScaleJob.schedule(tx, project.id(), clock.instant());
  }

  @Override
  public void sleepChanged(Handle tx, Project project) {
    if (project.settings().sleepAfter().isPresent()) {
      IdleJob.schedule(tx, project.id(), clock.instant());
    } else {
      records.projects().awake(tx, project.id());
      ScaleJob.schedule(tx, project.id(), clock.instant()); // what sleeps is started
    }
  }

  @Override
  public void deleted(Handle tx, Project project) {
    failAll(
        tx,
        records.deployments().unfinished(tx, project.id()),
        project.hidden() ? PREVIEW_REMOVED : PROJECT_DELETED);
    Jobs.schedule(tx, RemoveJob.KIND, project.id().value(), clock.instant());
  }

  private void failAll(Handle tx, List<Deployment> unfinished, Failure why) {
    for (Deployment deployment : unfinished) {
      moves.fail(tx, deployment, why);
      RunningJobs.ended(tx, deployment.id());
    }
  }

  /** With a log of its own. */
  private Deployment queue(
      Handle tx, Project project, Trigger trigger, Deployment.Code chosen, EnvVars overrides) {
    DeploymentId id = DeploymentId.next();
    logs.create(tx, id.value());
    return queue(tx, project, id, trigger, id.value(), chosen, overrides);
  }

  private Deployment queue(
      Handle tx,
      Project project,
      DeploymentId id,
      Trigger trigger,
      String logId,
      Deployment.Code chosen,
      EnvVars overrides) {
    Deployment deployment =
        new Deployment(
            id,
            project.accountId(),
            project.id(),
            logId,
            new Deployment.Origin(trigger, id, Optional.empty()),
            DeploymentStatus.QUEUED,
            chosen,
            project.settings().overrides().framework(),
            project.region(),
            project.settings().instanceType(),
            Label.ofPreview(project.label()),
            project.settings().database(),
            Optional.empty(),
            0,
            Deployment.Times.createdAt(clock.instant()),
            Optional.empty());
    EnvVars env = records.projects().env(tx, project.id()).with(overrides).requireAllowed();
    // Its row is held until the commit: it does not get ready before this one waits for it.
    boolean ready = deployment.database().map(it -> databases.prepare(tx, it)).orElse(true);
    moves.queued(tx, deployment, env, "Deployment " + id + " is queued.");
    if (ready) {
      schedule(tx, BuildJob.KIND, deployment);
    } else {
      logs.append(tx, logId, LogLevel.INFO, "It is built as soon as its database is ready.");
    }
    return deployment;
  }

  private static Deployment rollbackOf(Deployment target, Instant now) {
    DeploymentId id = DeploymentId.next();
    String previewStem = target.previewLabel().substring(0, target.previewLabel().indexOf("--"));
    return new Deployment(
        id,
        target.accountId(),
        target.projectId(),
        id.value(),
        new Deployment.Origin(Trigger.ROLLBACK, target.origin().source(), Optional.of(target.id())),
        DeploymentStatus.QUEUED,
        target.code(),
        target.framework(),
        target.region(),
        target.instanceType(),
        Label.ofPreview(previewStem),
        target.database(),
        target.releaseId(),
        0,
        Deployment.Times.createdAt(now),
        Optional.empty());
  }

  private void requireKept(Handle tx, Deployment target) {
    if (!target.status().served()) {
      throw new RequestException(
          ErrorCode.ROLLBACK_NOT_ALLOWED,
          "Deployment %s is %s; only one that is live or rolled_back can be rolled back to."
              .formatted(target.id(), target.status().wireName()));
    }
    if (target.releaseId().flatMap(id -> records.releases().findKept(tx, id)).isEmpty()) {
      throw new RequestException(
          ErrorCode.ROLLBACK_NOT_ALLOWED,
          "The release of deployment %s is not kept any more; deploy it again."
              .formatted(target.id()));
    }
  }

  private static Failure supersededBy(Deployment rollback) {
    return new Failure(
        FailureCode.SUPERSEDED,
        "The rollback %s was asked for before this deployment had gone live."
            .formatted(rollback.id()));
  }

  private static Failure overtakenBy(Deployment push) {
    return new Failure(
        FailureCode.SUPERSEDED,
        "A later push was to be deployed by %s before this deployment had begun."
            .formatted(push.id()));
  }

  private static void schedule(Handle tx, Job.Kind job, Deployment deployment) {
    Jobs.schedule(tx, job, deployment.id().value(), deployment.times().created());
  }

  private Detail detail(
      Deployment deployment, Project project, Optional<String> previewUrl, List<Step> steps) {
    boolean current = project.liveDeploymentId().equals(Optional.of(deployment.id()));
    return new Detail(
        deployment,
        addresses.ofApp(project.label()),
        previewUrl,
        current,
        current ? project.crashing() : Optional.empty(),
        steps);
  }

  private Project project(Handle tx, ProjectId id) {
    return records.projects().find(tx, id).orElseThrow();
  }

  // Loaded by id and then checked: what exists in another account is forbidden, not unknown.
  private Deployment own(Handle tx, AccountId account, DeploymentId id) {
    Deployment deployment =
        records
            .deployments()
            .find(tx, id)
            .filter(it -> !it.hidden())
            .orElseThrow(() ->
                new RequestException(
                    ErrorCode.NOT_FOUND, "There is no deployment %s.".formatted(id)));
    if (!deployment.accountId().equals(account)) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "This key has no access to deployment %s.".formatted(id));
    }
    return deployment;
  }
}
