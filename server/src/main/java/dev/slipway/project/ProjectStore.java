package dev.slipway.project;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RestartId;
import dev.slipway.core.UploadId;
import dev.slipway.framework.Overrides;
import dev.slipway.source.RepoName;
import dev.slipway.vault.Vault;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/** Rows of projects. Every call runs in the caller's transaction. */
public final class ProjectStore {
  private static final String INSERT =
      """
      INSERT INTO project (id, account_id, name, label, source, repo, branch, upload_id, region, instance_type,
                           instances, auto_deploy, previews, preview_forks, preview_of, sleep_after_ms, database_id, framework, root_directory, install_command,
                           build_command, start_command, output_directory, health_check_path, env,
                           created_at, updated_at)
      VALUES (:id, :account, :name, :label, :source, :repo, :branch, :upload, :region,
              :instanceType, :instances, :autoDeploy, :previews, :previewForks, :previewOf, :sleepAfter, :database, :framework, :rootDirectory,
              :installCommand, :buildCommand, :startCommand, :outputDirectory, :healthCheckPath, :env,
              :createdAt, :updatedAt)
          ON CONFLICT (label) WHERE deleted_at IS NULL DO NOTHING
      """;

  // A CNAME to it may have been left behind, which says whose a domain is.
  private static final String LAPSED =
      """
      SELECT EXISTS (SELECT FROM project
                      WHERE label = ? AND account_id <> ? AND deleted_at IS NOT NULL)
      """;

  private static final String SELECT =
      """
      SELECT p.*, coalesce(p.framework, (SELECT d.framework FROM deployment d
                                          WHERE d.id = p.live_deployment_id)) AS known_framework,
             (SELECT count(*) FROM instance i
               WHERE i.deployment_id = p.live_deployment_id AND i.state = 'HEALTHY') AS running,
             coalesce(p.asleep_deployment_id = p.live_deployment_id, false) AS asleep,
             c.crashing_since, c.crash_code, c.crash_message
        FROM project p
        LEFT JOIN crashing c ON c.deployment_id = p.live_deployment_id
      """;

  private static final String BY_ID = SELECT + "WHERE p.id = ?";

  private static final String LIST =
      SELECT
          + """
           WHERE p.account_id = :account AND p.deleted_at IS NULL AND p.preview_of IS NULL %s
           ORDER BY p.id COLLATE "C" DESC LIMIT :limit
          """;

  private static final String COUNT =
      """
      SELECT count(*) FROM project
       WHERE account_id = ? AND deleted_at IS NULL AND preview_of IS NULL
      """;

  private static final String NAME_TAKEN =
      """
      SELECT EXISTS (SELECT FROM project
                      WHERE account_id = ? AND name = ? AND deleted_at IS NULL AND preview_of IS NULL)
      """;

  // The account's row orders all that give its projects a name.
  private static final String LOCK_NAMES = "SELECT id FROM account WHERE id = ? FOR NO KEY UPDATE";

  private static final String CHANGE =
      """
      UPDATE project
         SET name = :name, branch = :branch, instance_type = :instanceType, instances = :instances,
             auto_deploy = :autoDeploy, previews = :previews, preview_forks = :previewForks,
             sleep_after_ms = :sleepAfter, database_id = :database, framework = :framework,
             root_directory = :rootDirectory, install_command = :installCommand,
             build_command = :buildCommand, start_command = :startCommand,
             output_directory = :outputDirectory, health_check_path = :healthCheckPath,
             updated_at = :updatedAt
       WHERE id = :id
      """;

  private static final String ENV = "SELECT env FROM project WHERE id = ?";

  private static final String SET_ENV = "UPDATE project SET env = ?, updated_at = ? WHERE id = ?";

  private static final String PREVIEW_ENV = "SELECT preview_env FROM project WHERE id = ?";

  private static final String SET_PREVIEW_ENV =
      "UPDATE project SET preview_env = ?, updated_at = ? WHERE id = ?";

  // The head of a pull request may be renamed.
  private static final String SET_HEAD = "UPDATE project SET repo = ? WHERE id = ?";

  private static final String SET_LIVE =
      "UPDATE project SET live_deployment_id = ?, updated_at = ? WHERE id = ?";

  private static final String SET_UPLOAD =
      "UPDATE project SET upload_id = ?, updated_at = ? WHERE id = ?";

  private static final String PAUSE_AUTO_DEPLOY =
      "UPDATE project SET auto_deploy = false, updated_at = ? WHERE id = ? AND auto_deploy";

  private static final String SET_ASLEEP =
      "UPDATE project SET asleep_deployment_id = ? WHERE id = ?";

  private static final String SET_AWAKE =
      "UPDATE project SET asleep_deployment_id = NULL WHERE id = ?";

  private static final String IS_ASLEEP =
      """
      SELECT EXISTS (SELECT FROM project WHERE id = ? AND asleep_deployment_id = live_deployment_id)
      """;

  private static final String MAY_SLEEP =
      "SELECT id FROM project WHERE sleep_after_ms IS NOT NULL AND deleted_at IS NULL";

  private static final String USING =
      """
      SELECT database_id, array_agg(id ORDER BY id COLLATE "C" DESC) AS projects
        FROM project
       WHERE database_id = ANY(?) AND deleted_at IS NULL
       GROUP BY database_id
      """;

  private static final String NAMES =
      """
      SELECT id, name FROM project
       WHERE id = ANY(:ids) AND account_id = :account AND deleted_at IS NULL AND preview_of IS NULL
      """;

  // A project that was given another database runs with the earlier one until it is deployed.
  private static final String USED_BY_OTHERS =
      """
      SELECT EXISTS (SELECT FROM project
                      WHERE database_id = :database AND id <> :project AND deleted_at IS NULL)
          OR EXISTS (SELECT FROM deployment d
                       JOIN project p ON p.id = d.project_id AND p.deleted_at IS NULL
                      WHERE d.database_id = :database AND d.project_id <> :project
                        AND (d.status IN ('QUEUED', 'BUILDING', 'DEPLOYING')
                             OR p.live_deployment_id = d.id
                             OR EXISTS (SELECT FROM instance i WHERE i.deployment_id = d.id)))
      """;

  private static final String OF_RESTART = SELECT + "WHERE p.restart_id = ?";

  // Nothing serves it from now on; its deployments keep what they were.
  private static final String DELETE =
      """
      UPDATE project SET deleted_at = ?, updated_at = ?, live_deployment_id = NULL
       WHERE id = ? AND deleted_at IS NULL
      """;

  private final Vault vault;

  public ProjectStore(Vault vault) {
    this.vault = vault;
  }

  /**
   * False where another project has the label, or a deleted one of another account had it; then
   * nothing is written.
   */
  public boolean insert(Handle tx, Project project, EnvVars env) {
    boolean lapsed =
        tx.createQuery(LAPSED)
            .bind(0, project.label())
            .bind(1, project.accountId().value())
            .mapTo(Boolean.class)
            .one();
    return !lapsed && inserted(tx, project, env);
  }

  private boolean inserted(Handle tx, Project project, EnvVars env) {
    return bind(tx.createUpdate(INSERT), project.settings())
            .bind("id", project.id().value())
            .bind("account", project.accountId().value())
            .bind("name", project.name())
            .bind("label", project.label())
            .bind("source", project.source())
            .bind("repo", project.repo().map(RepoName::value).orElse(null))
            .bind("upload", project.latestUpload().map(UploadId::value).orElse(null))
            .bind("region", project.region())
            .bind("previewOf", project.previewOf().map(ProjectId::value).orElse(null))
            .bind("env", vault.sealEnv(env, project.id().value()))
            .bind("createdAt", project.createdAt())
            .bind("updatedAt", project.updatedAt())
            .execute()
        == 1;
  }

  /** A project, deleted ones included. */
  public Optional<Project> find(Handle tx, ProjectId id) {
    return tx.createQuery(BY_ID).bind(0, id.value()).map((row, context) -> project(row)).findOne();
  }

  /** The project, its row locked until the transaction ends: what goes live is decided under it. */
  public Project lock(Handle tx, ProjectId id) {
    return tx.createQuery(BY_ID + " FOR NO KEY UPDATE OF p")
        .bind(0, id.value())
        .map((row, context) -> project(row))
        .one();
  }

  /** The project, which nobody changes until the transaction ends; many may hold it so. */
  public Optional<Project> share(Handle tx, ProjectId id) {
    return tx.createQuery(BY_ID + " FOR SHARE OF p")
        .bind(0, id.value())
        .map((row, context) -> project(row))
        .findOne();
  }

  /** Newest first, those before {@code before}; none that is deleted. */
  List<Project> list(Handle tx, AccountId account, Optional<ProjectId> before, int limit) {
    var query =
        tx.createQuery(
            LIST.formatted(before.isPresent() ? "AND p.id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("account", account.value())
        .bind("limit", limit)
        .map((row, context) -> project(row))
        .list();
  }

  int count(Handle tx, AccountId account) {
    return tx.createQuery(COUNT).bind(0, account.value()).mapTo(Integer.class).one();
  }

  public boolean nameTaken(Handle tx, AccountId account, String name) {
    return tx.createQuery(NAME_TAKEN)
        .bind(0, account.value())
        .bind(1, name)
        .mapTo(Boolean.class)
        .one();
  }

  /** Until the transaction ends nobody else gives a project of the account a name. */
  void lockNames(Handle tx, AccountId account) {
    tx.createQuery(LOCK_NAMES).bind(0, account.value()).mapTo(String.class).one();
  }

  public void change(Handle tx, ProjectId id, String name, Settings settings, Instant now) {
    bind(tx.createUpdate(CHANGE), settings)
        .bind("id", id.value())
        .bind("name", name)
        .bind("updatedAt", now)
        .execute();
  }

  private static Update bind(Update update, Settings settings) {
    Overrides overrides = settings.overrides();
    return update
        .bind("branch", settings.branch().orElse(null))
        .bind("instanceType", settings.instanceType())
        .bind("instances", settings.instances())
        .bind("autoDeploy", settings.autoDeploy())
        .bind("previews", settings.previews().name())
        .bind("previewForks", settings.previewForks())
        .bind("sleepAfter", settings.sleepAfter().map(Duration::toMillis).orElse(null))
        .bind("database", settings.database().map(DatabaseId::value).orElse(null))
        .bind("framework", overrides.framework().orElse(null))
        .bind("rootDirectory", overrides.rootDirectory().orElse(null))
        .bind("installCommand", overrides.installCommand().orElse(null))
        .bind("buildCommand", overrides.buildCommand().orElse(null))
        .bind("startCommand", overrides.startCommand().orElse(null))
        .bind("outputDirectory", overrides.outputDirectory().orElse(null))
        .bind("healthCheckPath", overrides.healthCheckPath().orElse(null));
  }

  /** Its variables. */
  public EnvVars env(Handle tx, ProjectId id) {
    byte[] sealed = tx.createQuery(ENV).bind(0, id.value()).mapTo(byte[].class).one();
    return vault.openEnv(sealed, id.value());
  }

  public void setEnv(Handle tx, ProjectId id, EnvVars env, Instant now) {
    tx.execute(SET_ENV, vault.sealEnv(env, id.value()), now, id.value());
  }

  /** The variables of previews of its pull requests, which get none of its own. */
  public EnvVars previewEnv(Handle tx, ProjectId id) {
    return tx.createQuery(PREVIEW_ENV)
        .bind(0, id.value())
        .map((row, context) -> Optional.ofNullable(row.getBytes("preview_env")))
        .one()
        .map(sealed -> vault.openEnv(sealed, placeOfPreviewEnv(id)))
        .orElse(EnvVars.NONE);
  }

  void setPreviewEnv(Handle tx, ProjectId id, EnvVars env, Instant now) {
    tx.execute(SET_PREVIEW_ENV, vault.sealEnv(env, placeOfPreviewEnv(id)), now, id.value());
  }

  /** Sealed for this column: those of production cannot be put in their place. */
  private static String placeOfPreviewEnv(ProjectId id) {
    return id + " preview_env";
  }

  /** Which repository the row behind a preview is deployed from. */
  public void setHead(Handle tx, ProjectId id, RepoName repo) {
    tx.execute(SET_HEAD, repo.value(), id.value());
  }

  public void setLive(Handle tx, ProjectId id, DeploymentId deployment, Instant now) {
    tx.execute(SET_LIVE, deployment.value(), now, id.value());
  }

  /** What serves has been stopped until somebody asks for it. */
  public void fallAsleep(Handle tx, ProjectId id, DeploymentId deployment) {
    tx.execute(SET_ASLEEP, deployment.value(), id.value());
  }

  public void awake(Handle tx, ProjectId id) {
    tx.execute(SET_AWAKE, id.value());
  }

  /** Whether what serves has been stopped until somebody asks for it. */
  public boolean isAsleep(Handle tx, ProjectId id) {
    return tx.createQuery(IS_ASLEEP).bind(0, id.value()).mapTo(Boolean.class).one();
  }

  /** The projects whose program is stopped where nobody asks for it. */
  public List<ProjectId> maySleep(Handle tx) {
    return tx.createQuery(MAY_SLEEP).mapTo(String.class).list().stream()
        .map(ProjectId::new)
        .toList();
  }

  /** What is deployed from now on where a deployment names no archive. */
  public void setLatestUpload(Handle tx, ProjectId id, UploadId upload, Instant now) {
    tx.execute(SET_UPLOAD, upload.value(), now, id.value());
  }

  /** Pushes deploy nothing until the owner switches it on again. */
  public void pauseAutoDeploy(Handle tx, ProjectId id, Instant now) {
    tx.execute(PAUSE_AUTO_DEPLOY, now, id.value());
  }

  /** The project whose latest restart this is. */
  public Optional<Project> ofRestart(Handle tx, RestartId restart) {
    return tx.createQuery(OF_RESTART)
        .bind(0, restart.value())
        .map((row, context) -> project(row))
        .findOne();
  }

  /** The projects of each of these databases, newest first; without those that have none. */
  Map<DatabaseId, List<ProjectId>> using(Handle tx, List<DatabaseId> databases) {
    return tx.createQuery(USING)
        .bindArray(0, String.class, databases.stream().map(DatabaseId::value).toList())
        .map((row, context) ->
            Map.entry(
                new DatabaseId(row.getString("database_id")),
                Stream.of((String[]) row.getArray("projects").getArray())
                    .map(ProjectId::new)
                    .toList()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** What these projects of an account are called; without those that there are not any more. */
  Map<ProjectId, String> names(Handle tx, AccountId account, Collection<ProjectId> ids) {
    return tx.createQuery(NAMES)
        .bind("account", account.value())
        .bindArray("ids", String.class, ids.stream().map(ProjectId::value).toList())
        .map((row, _) -> Map.entry(new ProjectId(row.getString("id")), row.getString("name")))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Whether another project has the database, or still has something that works with it. */
  boolean usedByOthers(Handle tx, DatabaseId database, ProjectId id) {
    return tx.createQuery(USED_BY_OTHERS)
        .bind("database", database.value())
        .bind("project", id.value())
        .mapTo(Boolean.class)
        .one();
  }

  /** False where it was deleted before. */
  boolean delete(Handle tx, ProjectId id, Instant now) {
    return tx.execute(DELETE, now, now, id.value()) == 1;
  }

  private static Project project(ResultSet row) throws SQLException {
    return new Project(
        new ProjectId(row.getString("id")),
        new AccountId(row.getString("account_id")),
        row.getString("name"),
        row.getString("label"),
        row.getString("source"),
        text(row, "repo").map(RepoName::new),
        text(row, "upload_id").map(UploadId::new),
        row.getString("region"),
        new Settings(
            text(row, "branch"),
            row.getString("instance_type"),
            row.getInt("instances"),
            row.getBoolean("auto_deploy"),
            Previews.valueOf(row.getString("previews")),
            row.getBoolean("preview_forks"),
            Optional.ofNullable((Long) row.getObject("sleep_after_ms")).map(Duration::ofMillis),
            text(row, "database_id").map(DatabaseId::new),
            overrides(row)),
        text(row, "known_framework"),
        text(row, "live_deployment_id").map(DeploymentId::new),
        row.getInt("running"),
        row.getBoolean("asleep"),
        CrashingStore.read(row),
        RestartStore.read(row),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant(),
        Optional.ofNullable(row.getTimestamp("deleted_at")).map(Timestamp::toInstant),
        text(row, "preview_of").map(ProjectId::new));
  }

  private static Overrides overrides(ResultSet row) throws SQLException {
    return new Overrides(
        text(row, "framework"),
        text(row, "root_directory"),
        text(row, "install_command"),
        text(row, "build_command"),
        text(row, "start_command"),
        text(row, "output_directory"),
        text(row, "health_check_path"));
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }
}
