package dev.slipway.migration;

import static dev.slipway.migration.MigrationStatus.PENDING;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DomainId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.MigrationId;
import dev.slipway.core.RequestException;
import dev.slipway.core.UploadId;
import dev.slipway.db.Database;
import dev.slipway.dbproject.DatabaseProject;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.dbproject.DatabaseWish;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentListener;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.domain.DomainService;
import dev.slipway.project.Label;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectListener;
import dev.slipway.project.ProjectStore;
import dev.slipway.project.Settings;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.RunLogs;
import dev.slipway.source.RepoName;
import dev.slipway.upload.Upload;
import dev.slipway.upload.Uploads;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;
import org.jdbi.v3.core.Handle;

/** What a client can ask of migrations. Thread-safe. */
public final class MigrationService implements DeploymentListener, ProjectListener {
  private static final Failure CANCELED =
      new Failure(FailureCode.CANCELED, "It was canceled before it had begun.");
  private static final Failure PROJECT_DELETED =
      new Failure(FailureCode.CANCELED, "The project was deleted.");

  /** What a project may be called by its owner; files have longer names. */
  private static final int MAX_NAME = 100;

  private final Database database;
  private final MigrationStore store;
  private final ProjectStore projects;
  private final DeploymentService deployments;
  private final DomainService domains;
  private final DatabaseService databases;
  private final Uploads uploads;
  private final RunLogs logs;
  private final ToIntFunction<String> concurrentByTier;
  private final Clock clock;
  private final List<MigrationListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * @param concurrentByTier how many migrations an account of a tier may run at a time
   */
  public MigrationService(
      Database database,
      MigrationStore store,
      ProjectStore projects,
      DeploymentService deployments,
      DomainService domains,
      Uploads uploads,
      RunLogs logs,
      ToIntFunction<String> concurrentByTier,
      DatabaseService databases,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.projects = projects;
    this.deployments = deployments;
    this.domains = domains;
    this.databases = databases;
    this.uploads = uploads;
    this.logs = logs;
    this.concurrentByTier = concurrentByTier;
    this.clock = clock;
  }

  public void tell(MigrationListener listener) {
    listeners.add(listener);
  }

  /**
   * What a client asks for, checked.
   *
   * @param repo of a git host, else there is an {@code upload}
   * @param domain a name without a {@link DomainService#fault}
   * @param database one that {@link DatabaseService#requirePossible} does not refuse
   * @param projectName absent means the repository's or the archive's name
   */
  public record Request(
      String source,
      Optional<RepoName> repo,
      Optional<UploadId> upload,
      EnvVars env,
      Optional<String> projectName,
      Optional<String> domain,
      String region,
      Optional<DatabaseWish> database,
      Settings settings) {}

  /** A migration with its project. */
  public record Detail(
      Migration migration,
      Project project,
      Optional<Deployment> deployment,
      Optional<DatabaseProject> database) {}

  /**
   * Makes project and migration, and its first deployment as soon as the account's tier allows.
   *
   * @param claimed what {@link DomainService#claimed} has answered for the request's domain
   * @throws RequestException {@code CONFLICT} where an explicit project name or the domain is
   *     taken; {@code NOT_FOUND}, {@code FORBIDDEN} for the archive
   */
  public Migration create(AccountId account, Request request, Optional<DomainId> claimed) {
    return database.inTransaction(tx -> {
      String tier = store.lockAccount(tx, account);
      Optional<Upload> upload = request.upload().map(id -> uploads.use(tx, account, id));
      Optional<DatabaseId> database =
          request.database().map(wish -> databases.add(tx, account, wish));
      Settings settings = database.map(request.settings()::withDatabase).orElse(request.settings());
      Project project = createProject(tx, account, request, settings, derivedName(request, upload));
      request.domain().ifPresent(name -> domains.add(tx, project, name, claimed));
      MigrationId id = MigrationId.next();
      Migration migration =
          new Migration(
              id,
              account,
              project.id(),
              id.value(),
              database,
              Optional.empty(),
              PENDING,
              clock.instant(),
              Optional.empty(),
              Optional.empty());
      store.insert(tx, migration);
      logs.create(tx, migration.logId());
      logs.append(
          tx,
          migration.logId(),
          LogLevel.INFO,
          "Migrating %s to project %s.".formatted(described(request, upload), project.name()));
      listeners.forEach(listener -> listener.created(tx, project));
      startNext(tx, account, tier);
      store.find(tx, id).filter(it -> it.status() == PENDING).ifPresent(it -> moved(tx, it));
      return migration;
    });
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Detail get(AccountId account, MigrationId id) {
    return database.read(tx -> describe(tx, own(tx, account, id)));
  }

  /**
   * Ends a migration, and its first deployment with it; one that is canceled already stays as it
   * is.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where it has
   *     ended otherwise
   */
  public Detail cancel(AccountId account, MigrationId id) {
    if (!database.inTransaction(tx -> cancelPending(tx, own(tx, account, id)))) {
      // Only now: a deployment's row is locked before its account's, never after.
      database.useTransaction(tx -> cancelBegun(tx, own(tx, account, id)));
    }
    return get(account, id);
  }

  /** False where it does not wait for a slot. */
  private boolean cancelPending(Handle tx, Migration migration) {
    Optional<Migration> failed = store.failPending(tx, migration.id(), CANCELED, clock.instant());
    failed.ifPresent(it -> ended(tx, it, CANCELED));
    return failed.isPresent();
  }

  /** One that has begun nothing yet: its log is its own. */
  private void ended(Handle tx, Migration migration, Failure failure) {
    logs.append(tx, migration.logId(), LogLevel.ERROR, failure.message());
    logs.close(tx, migration.logId());
    moved(tx, migration);
  }

  private void moved(Handle tx, Migration migration) {
    listeners.forEach(listener -> listener.moved(tx, migration));
  }

  private void cancelBegun(Handle tx, Migration migration) {
    boolean canceled =
        switch (migration.status()) {
          case PENDING, PROCESSING ->
              deployments.cancel(tx, migration.deploymentId().orElseThrow());
          case COMPLETE -> false;
          case FAILED ->
              migration.failure().filter(it -> it.code() == FailureCode.CANCELED).isPresent();
        };
    if (!canceled) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "Migration %s has ended; only one that is pending or processing can be canceled."
              .formatted(migration.id()));
    }
  }

  /** What belongs to a migration, whoever has it. */
  public Detail describe(Handle tx, Migration migration) {
    return new Detail(
        migration,
        projects.find(tx, migration.projectId()).orElseThrow(),
        migration.deploymentId().flatMap(id -> deployments.find(tx, id)),
        migration.database().flatMap(id -> databases.find(tx, id)));
  }

  /** At most {@code limit} migrations, newest first, those before {@code before}. */
  public List<Detail> list(MigrationStore.Filter filter, Optional<MigrationId> before, int limit) {
    return database.read(tx ->
        store.list(tx, filter, before, limit).stream()
            .map(migration -> describe(tx, migration))
            .toList());
  }

  @Override
  public void moved(Handle tx, Deployment deployment) {
    Instant now = clock.instant();
    Optional<Migration> ended =
        switch (deployment.status()) {
          case QUEUED, BUILDING, DEPLOYING, ROLLED_BACK -> Optional.empty();
          case LIVE -> store.complete(tx, deployment.id(), now);
          case FAILED -> store.fail(tx, deployment.id(), deployment.failure().orElseThrow(), now);
        };
    ended.ifPresent(it -> {
      moved(tx, it);
      startNext(tx, it.accountId(), store.lockAccount(tx, it.accountId()));
    });
  }

  @Override
  public void deleted(Handle tx, Project project) {
    // One that is under way ends with its deployment.
    for (Migration pending :
        store.failPending(tx, project.id(), PROJECT_DELETED, clock.instant())) {
      ended(tx, pending, PROJECT_DELETED);
    }
  }

  /** How many of the account's migrations are under way. */
  public int underWay(AccountId account) {
    return database.read(tx -> store.countProcessing(tx, account));
  }

  /** Starts pending migrations while the tier has slots. The account's row is locked. */
  private void startNext(Handle tx, AccountId account, String tier) {
    int free = concurrentByTier.applyAsInt(tier) - store.countProcessing(tx, account);
    for (Migration next : store.pending(tx, account, Math.max(0, free))) {
      Project project = projects.find(tx, next.projectId()).orElseThrow();
      Deployment first = deployments.first(tx, project, next.logId());
      store.processing(tx, next.id(), first.id()).ifPresent(it -> moved(tx, it));
    }
  }

  private static String described(Request request, Optional<Upload> upload) {
    return upload
        .map(archive -> "the archive " + archive.name())
        .orElseGet(() ->
            "%s, branch %s, from %s"
                .formatted(
                    request.repo().orElseThrow(),
                    request.settings().branch().orElseThrow(),
                    request.source()));
  }

  private static String derivedName(Request request, Optional<Upload> upload) {
    return upload
        .map(archive -> archive.name().replaceFirst("(?i)(?<=.)\\.zip$", ""))
        .map(name -> name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME).strip())
        .orElseGet(() -> request.repo().orElseThrow().name());
  }

  private Project createProject(
      Handle tx, AccountId account, Request request, Settings settings, String derived) {
    String name = request.projectName().orElse(derived);
    if (projects.nameTaken(tx, account, name)) {
      if (request.projectName().isPresent()) {
        throw new RequestException(
            ErrorCode.CONFLICT,
            "project_name: there is a project called %s already.".formatted(name));
      }
      name = Label.withSuffix(derived);
    }
    String label = Label.of(name);
    Instant now = clock.instant();
    while (true) {
      Project project =
          Project.create(
              account,
              name,
              label,
              request.source(),
              request.repo(),
              request.upload(),
              request.region(),
              settings,
              now);
      if (projects.insert(tx, project, request.env())) {
        return project;
      }
      label = Label.withSuffix(label);
    }
  }

  // Loaded by id and then checked: what exists in another account is forbidden.
  private Migration own(Handle tx, AccountId account, MigrationId id) {
    Migration migration =
        store
            .find(tx, id)
            .orElseThrow(() ->
                new RequestException(
                    ErrorCode.NOT_FOUND, "There is no migration %s.".formatted(id)));
    if (!migration.accountId().equals(account)) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "This key has no access to migration %s.".formatted(id));
    }
    return migration;
  }
}
