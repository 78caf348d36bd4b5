package dev.slipway.dbproject;

import dev.slipway.core.AccountId;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabaseType;
import dev.slipway.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Rows of databases. Every call runs in the caller's transaction. */
public final class DatabaseStore {
  private static final String INSERT =
      """
      INSERT INTO database_project
             (id, account_id, type, origin, status, link, import_from, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String BY_ID = "SELECT * FROM database_project WHERE id = ?";

  private static final String LOCK = BY_ID + " FOR NO KEY UPDATE";

  private static final String SHARE = "SELECT id FROM database_project WHERE id = ? FOR SHARE";

  private static final String LIST =
      """
      SELECT * FROM database_project
       WHERE account_id = :account %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  private static final String TYPES = "SELECT id, type FROM database_project WHERE id = ANY(?)";

  // Also overtakes whatever is under way.
  private static final String ASK =
      """
      UPDATE database_project
         SET status = ?, restore_from = ?, turn = turn + 1, attempt = attempt + 1,
             changed_at = NULL, failure_code = NULL, failure_message = NULL
       WHERE id = ?
      RETURNING turn
      """;

  private static final String BEGIN =
      """
      UPDATE database_project SET attempt = attempt + 1
       WHERE id = ? AND turn = ? AND status = ?
      RETURNING *
      """;

  private static final String HOLD =
      "SELECT id FROM database_project WHERE id = ? AND attempt = ? FOR NO KEY UPDATE";

  private static final String IS_CURRENT =
      "SELECT EXISTS (SELECT FROM database_project WHERE id = ? AND attempt = ?)";

  private static final String USE =
      """
      UPDATE database_project
         SET server = ?, name = ?, login = ?, password = ?, version = version + 1, changed_at = ?
       WHERE id = ?
      """;

  private static final String END =
      """
      UPDATE database_project
         SET status = ?, failure_code = ?, failure_message = ?, restore_from = NULL
       WHERE id = ?
      """;

  private static final String COPIED =
      "UPDATE database_project SET import_from = NULL WHERE id = ?";

  private static final String PUT_OFF = "UPDATE database_project SET turn = turn + 1 WHERE id = ?";

  // Also overtakes whatever is under way.
  private static final String DROP =
      """
      UPDATE database_project
         SET status = 'DROPPED', dropped_at = ?, turn = turn + 1, attempt = attempt + 1,
             version = version + 1, server = NULL, name = NULL, login = NULL, password = NULL,
             link = NULL, import_from = NULL, restore_from = NULL, failure_code = NULL,
             failure_message = NULL
       WHERE id = ?
      """;

  private static final String RETURN = "UPDATE database_project SET dropped_at = NULL WHERE id = ?";

  private final Vault vault;

  public DatabaseStore(Vault vault) {
    this.vault = vault;
  }

  /**
   * @param connected how to log in, of one that exists elsewhere
   */
  void insert(
      Handle tx,
      DatabaseProject project,
      Optional<DatabaseLink> connected,
      Optional<DatabaseLink> importFrom) {
    tx.execute(
        INSERT,
        project.id().value(),
        project.accountId().value(),
        project.type().name(),
        project.origin().name(),
        project.status().name(),
        connected.map(link -> seal(LinkText.write(link), project.id())).orElse(null),
        importFrom.map(link -> seal(LinkText.write(link), project.id())).orElse(null),
        project.createdAt());
  }

  Optional<DatabaseProject> find(Handle tx, DatabaseId id) {
    return one(tx, BY_ID, id);
  }

  Optional<DatabaseProject> lock(Handle tx, DatabaseId id) {
    return one(tx, LOCK, id);
  }

  /** Nobody changes it until the transaction ends; many may hold it so. */
  void share(Handle tx, DatabaseId id) {
    tx.createQuery(SHARE).bind(0, id.value()).mapTo(String.class).one();
  }

  private static Optional<DatabaseProject> one(Handle tx, String query, DatabaseId id) {
    return tx.createQuery(query).bind(0, id.value()).map((row, context) -> project(row)).findOne();
  }

  /** Of those that there are. */
  Map<DatabaseId, DatabaseType> types(Handle tx, Collection<DatabaseId> ids) {
    return tx.createQuery(TYPES)
        .bindArray(0, String.class, ids.stream().map(DatabaseId::value).toList())
        .map((row, context) ->
            Map.entry(
                new DatabaseId(row.getString("id")), DatabaseType.valueOf(row.getString("type"))))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Newest first, those before {@code before}. */
  List<DatabaseProject> list(Handle tx, AccountId account, Optional<DatabaseId> before, int limit) {
    var query =
        tx.createQuery(LIST.formatted(before.isPresent() ? "AND id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("account", account.value())
        .bind("limit", limit)
        .map((row, context) -> project(row))
        .list();
  }

  /** What was asked for last. */
  Task task(Handle tx, DatabaseId id) {
    return tx.createQuery(BY_ID)
        .bind(0, id.value())
        .map((row, context) -> new Task(id, row.getInt("turn")))
        .one();
  }

  /** Begins a turn; what went wrong before is forgotten. The row is locked by the caller. */
  Task ask(Handle tx, DatabaseId id, DatabaseStatus status) {
    return ask(tx, id, status, Optional.empty());
  }

  /** The same, to put a backup in the database's place. */
  Task askToRestore(Handle tx, DatabaseId id, BackupId from) {
    return ask(tx, id, DatabaseStatus.RESTORING, Optional.of(from));
  }

  private static Task ask(
      Handle tx, DatabaseId id, DatabaseStatus status, Optional<BackupId> from) {
    return new Task(
        id,
        tx.createQuery(ASK)
            .bind(0, status.name())
            .bind(1, from.map(BackupId::value).orElse(null))
            .bind(2, id.value())
            .mapTo(Integer.class)
            .one());
  }

  /** A run of the task's job; empty where the database is not in this turn and status any more. */
  Optional<Run> begin(Handle tx, Task task, DatabaseStatus status) {
    return tx.createQuery(BEGIN)
        .bind(0, task.id().value())
        .bind(1, task.turn())
        .bind(2, status.name())
        .map((row, context) ->
            new Run(
                project(row),
                row.getInt("attempt"),
                Optional.ofNullable(row.getTimestamp("changed_at")).map(Timestamp::toInstant)))
        .findOne();
  }

  /** Locks the row for what the run writes next; false where it was overtaken. */
  boolean hold(Handle tx, Run run) {
    return tx.createQuery(HOLD)
        .bind(0, run.id().value())
        .bind(1, run.attempt())
        .mapTo(String.class)
        .findOne()
        .isPresent();
  }

  boolean isCurrent(Handle tx, Run run) {
    return tx.createQuery(IS_CURRENT)
        .bind(0, run.id().value())
        .bind(1, run.attempt())
        .mapTo(Boolean.class)
        .one();
  }

  /** The end of a turn. */
  void end(Handle tx, DatabaseId id, DatabaseStatus status, Optional<Failure> failure) {
    tx.execute(
        END,
        status.name(),
        failure.map(it -> it.code().name()).orElse(null),
        failure.map(Failure::message).orElse(null),
        id.value());
  }

  /** What was to be copied has been. */
  void copied(Handle tx, DatabaseId id) {
    tx.execute(COPIED, id.value());
  }

  /** The turn is over without an end: the next who asks begins another one. */
  void putOff(Handle tx, DatabaseId id) {
    tx.execute(PUT_OFF, id.value());
  }

  /** From now on programs get that. */
  void use(Handle tx, DatabaseId id, Physical physical, Instant now) {
    tx.execute(
        USE,
        physical.server(),
        physical.name(),
        physical.login().user(),
        seal(physical.login().password().reveal().getBytes(StandardCharsets.UTF_8), id),
        now,
        id.value());
  }

  /** No secret of it stays. */
  void drop(Handle tx, DatabaseId id, Instant now) {
    tx.execute(DROP, now, id.value());
  }

  /** One that was dropped is there again. */
  void undrop(Handle tx, DatabaseId id) {
    tx.execute(RETURN, id.value());
  }

  /** Where it is, of one that is made. */
  Optional<Physical> physical(Handle tx, DatabaseId id) {
    return tx.createQuery(BY_ID)
        .bind(0, id.value())
        .map((row, context) -> physical(row, id))
        .findOne()
        .flatMap(found -> found);
  }

  private Optional<Physical> physical(ResultSet row, DatabaseId id) throws SQLException {
    if (row.getString("name") == null) {
      return Optional.empty();
    }
    byte[] password = vault.open(row.getBytes("password"), id.value());
    return Optional.of(
        new Physical(
            DatabaseType.valueOf(row.getString("type")),
            row.getString("server"),
            row.getString("name"),
            new DatabaseLogin(
                row.getString("login"), new Secret(new String(password, StandardCharsets.UTF_8)))));
  }

  /** How to log in, of one that is connected. */
  Optional<DatabaseLink> connected(Handle tx, DatabaseId id) {
    return link(tx, id, "link");
  }

  /** What is to be copied into it before it is used. */
  Optional<DatabaseLink> importFrom(Handle tx, DatabaseId id) {
    return link(tx, id, "import_from");
  }

  private Optional<DatabaseLink> link(Handle tx, DatabaseId id, String column) {
    return tx.createQuery(BY_ID)
        .bind(0, id.value())
        .map((row, context) -> Optional.ofNullable(row.getBytes(column)))
        .findOne()
        .flatMap(found -> found)
        .map(sealed -> LinkText.read(vault.open(sealed, id.value())));
  }

  /** The backup that is being put in its place. */
  BackupId restoreFrom(Handle tx, DatabaseId id) {
    return tx.createQuery(BY_ID)
        .bind(0, id.value())
        .map((row, context) -> new BackupId(row.getString("restore_from")))
        .one();
  }

  int version(Handle tx, DatabaseId id) {
    return tx.createQuery(BY_ID)
        .bind(0, id.value())
        .map((row, context) -> row.getInt("version"))
        .one();
  }

  private byte[] seal(byte[] plain, DatabaseId id) {
    return vault.seal(plain, id.value());
  }

  private static DatabaseProject project(ResultSet row) throws SQLException {
    return new DatabaseProject(
        new DatabaseId(row.getString("id")),
        new AccountId(row.getString("account_id")),
        DatabaseType.valueOf(row.getString("type")),
        DatabaseOrigin.valueOf(row.getString("origin")),
        DatabaseStatus.valueOf(row.getString("status")),
        failure(row),
        row.getTimestamp("created_at").toInstant(),
        Optional.ofNullable(row.getTimestamp("dropped_at")).map(Timestamp::toInstant));
  }

  static Optional<Failure> failure(ResultSet row) throws SQLException {
    String code = row.getString("failure_code");
    return code == null
        ? Optional.empty()
        : Optional.of(new Failure(FailureCode.valueOf(code), row.getString("failure_message")));
  }
}
