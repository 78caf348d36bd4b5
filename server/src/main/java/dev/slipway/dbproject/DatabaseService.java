package dev.slipway.dbproject;

import dev.slipway.account.Actor;
import dev.slipway.core.AccountId;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.RequestException;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;

/** What can be asked of databases. Thread-safe. */
public final class DatabaseService {
  private final Databases databases;
  private final Preparation preparation;
  private final Changes changes;
  private final Backups backups;
  private final AtomicReference<DatabaseListener> listener;

  DatabaseService(
      Databases databases,
      Preparation preparation,
      Changes changes,
      Backups backups,
      AtomicReference<DatabaseListener> listener) {
    this.databases = databases;
    this.preparation = preparation;
    this.changes = changes;
    this.backups = backups;
    this.listener = listener;
  }

  /** Tells that one from now on; before anything is asked. */
  public void tell(DatabaseListener told) {
    listener.set(told);
  }

  /**
   * Looks whether such a database can be had at all. Asks DNS and may start a server: not for
   * within a transaction.
   *
   * @throws RequestException {@code INVALID_REQUEST} where no server makes databases of that type,
   *     or the address is that of our own store
   */
  public void requirePossible(DatabaseWish wish) {
    preparation.requirePossible(wish);
  }

  /** Writes the database down; nothing is made or checked before {@link #prepare}. */
  public DatabaseId add(Handle tx, AccountId account, DatabaseWish wish) {
    return preparation.add(tx, account, wish);
  }

  /**
   * For a deployment that is about to be built: whether there is nothing to wait for. If not, it is
   * prepared from now on, and the listener is told when that has ended. One that is dropped is not
   * waited for either: {@link #variables} says so.
   */
  public boolean prepare(Handle tx, DatabaseId id) {
    return preparation.prepare(tx, id);
  }

  /**
   * Whether it is not there, and is just being restored from a backup: whoever needs it waits. It
   * is ready then, or dropped.
   */
  public boolean isComing(Handle tx, DatabaseId id) {
    return databases.isComing(tx, id);
  }

  /**
   * What a program gets that uses it, as of now.
   *
   * @throws dev.slipway.core.AppFailure {@code DATABASE_UNREACHABLE} where it is dropped, or its
   *     server is not configured any more
   */
  public EnvVars variables(Handle tx, DatabaseId id) {
    return databases.variables(tx, id);
  }

  /**
   * Where it is, as of now, if a build is let through to it where that is on this host; empty for
   * one that was connected by a name, which its owner can point anywhere.
   *
   * @throws AppFailure as {@link #variables}
   */
  public Optional<DatabasePlace> doorTo(Handle tx, DatabaseId id) {
    return databases.doorTo(tx, id);
  }

  /** Stands for what {@link #variables} gives, and is no secret: another one after each change. */
  public String version(Handle tx, DatabaseId id) {
    return databases.version(tx, id);
  }

  /**
   * {@link #version}, which stays the same until the transaction ends. Whoever locks a project too
   * does that first.
   */
  public String holdVersion(Handle tx, DatabaseId id) {
    return databases.holdVersion(tx, id);
  }

  /** A database, whoever it belongs to. */
  public Optional<DatabaseProject> find(Handle tx, DatabaseId id) {
    return databases.find(tx, id);
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public DatabaseProject own(Handle tx, AccountId account, DatabaseId id) {
    return databases.own(tx, account, id);
  }

  /** The same, in a transaction of its own. */
  public DatabaseProject get(AccountId account, DatabaseId id) {
    return databases.get(account, id);
  }

  /** At most {@code limit}, newest first, those before {@code before}. */
  public List<DatabaseProject> list(AccountId account, Optional<DatabaseId> before, int limit) {
    return databases.list(account, before, limit);
  }

  /** What kind each of them is, whoever they belong to; without those that there are not. */
  public Map<DatabaseId, DatabaseType> types(Collection<DatabaseId> ids) {
    return databases.types(ids);
  }

  /** What its server says of it now; empty where that does not answer within a few seconds. */
  public Optional<DatabaseFacts> facts(DatabaseProject project) {
    return databases.facts(project);
  }

  /**
   * How to log in, for its owner; leaves a row in the audit log.
   *
   * @param actor who asks
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where it is not
   *     there yet or any more, {@code UNAVAILABLE} where its server is not configured any more
   */
  public DatabaseLink reveal(AccountId account, DatabaseId id, Actor actor) {
    return databases.reveal(account, id, actor);
  }

  /**
   * Gives it another login, restarts what uses it, and revokes the earlier login.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where it is not
   *     ready, or was connected
   */
  public DatabaseProject rotate(AccountId account, DatabaseId id) {
    return changes.rotate(account, id);
  }

  /**
   * Drops it.
   *
   * @param withBackup a last one first; if that cannot be made, it is not dropped
   * @throws RequestException as {@link #rotate}, but for a connected one: that is forgotten
   */
  public DatabaseProject drop(AccountId account, DatabaseId id, boolean withBackup) {
    return changes.drop(account, id, withBackup);
  }

  /**
   * Drops it as part of something else, whatever is being done with it, after a last backup where
   * there is something to back up. One that is dropped already stays as it is.
   */
  public void drop(Handle tx, DatabaseId id) {
    changes.drop(tx, id);
  }

  /**
   * Asks for a backup.
   *
   * @throws RequestException as {@link #rotate}; {@code CONFLICT} also where one is being made
   */
  public Backup backUp(AccountId account, DatabaseId id) {
    return backups.backUp(account, id);
  }

  /** At most {@code limit}, newest first, those before {@code before}. */
  public List<Backup> backups(
      AccountId account, DatabaseId id, Optional<BackupId> before, int limit) {
    return backups.list(account, id, before, limit);
  }

  /**
   * Puts what a backup holds in the database's place, also of one that was dropped, and restarts
   * what uses it.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where the
   *     backup is not complete, or something else is being done
   */
  public DatabaseProject restore(AccountId account, DatabaseId id, BackupId backup) {
    return backups.restore(account, id, backup);
  }
}
