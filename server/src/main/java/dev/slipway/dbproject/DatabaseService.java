package dev.slipway.dbproject;

import dev.slipway.core.AccountId;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What can be asked of databases. Thread-safe. */
@SuppressWarnings("DoNotCallSuggester")
public final class DatabaseService {
  private static final String TO_COME = "written by its author";

  /** Tells that one from now on; before anything is asked. */
  public void tell(DatabaseListener listener) {
    throw new UnsupportedOperationException(TO_COME + listener);
  }

  /**
   * Writes the database down; nothing is made or checked before {@link #prepare}.
   *
   * @throws dev.slipway.core.RequestException {@code INVALID_REQUEST} where no server makes
   *     databases of that type, or the address is that of our own store
   */
  public DatabaseId add(Handle tx, AccountId account, DatabaseWish wish) {
    throw new UnsupportedOperationException(TO_COME + tx + account + wish);
  }

  /**
   * For a deployment that is about to be built: whether its database can be used. If not, it is
   * prepared from now on, and the listener is told when that has ended.
   */
  public boolean prepare(Handle tx, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + id);
  }

  /**
   * What a program gets that uses it, as of now.
   *
   * @throws dev.slipway.core.AppFailure {@code DATABASE_UNREACHABLE} where it is dropped, or its
   *     server is not configured any more
   */
  public EnvVars variables(Handle tx, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + id);
  }

  /**
   * Where it is, as of now: a build on this host is let through to it.
   *
   * @throws dev.slipway.core.AppFailure as {@link #variables}
   */
  public DatabasePlace place(Handle tx, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + id);
  }

  /** Stands for what {@link #variables} gives, and is no secret: another one after each change. */
  public String version(Handle tx, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + id);
  }

  /** A database, whoever it belongs to. */
  public Optional<DatabaseProject> find(Handle tx, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + id);
  }

  /**
   * @throws dev.slipway.core.RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public DatabaseProject own(Handle tx, AccountId account, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + account + id);
  }

  /** The same, in a transaction of its own. */
  public DatabaseProject get(AccountId account, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + account + id);
  }

  /** At most {@code limit}, newest first, those before {@code before}. */
  public List<DatabaseProject> list(AccountId account, Optional<DatabaseId> before, int limit) {
    throw new UnsupportedOperationException(TO_COME + account + before + limit);
  }

  /** What its server says of it now; empty where that does not answer within a few seconds. */
  public Optional<DatabaseFacts> facts(DatabaseProject database) {
    throw new UnsupportedOperationException(TO_COME + database);
  }

  /** How to log in, for its owner; leaves a row in the audit log. */
  public DatabaseLink reveal(AccountId account, DatabaseId id, Secret key) {
    throw new UnsupportedOperationException(TO_COME + account + id + key);
  }

  /**
   * Gives it another login, restarts what uses it, and revokes the earlier login.
   *
   * @throws dev.slipway.core.RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code
   *     CONFLICT} where it is not ready, or was connected
   */
  public DatabaseProject rotate(AccountId account, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + account + id);
  }

  /**
   * Drops it, after a last backup.
   *
   * @throws dev.slipway.core.RequestException as {@link #rotate}, but for a connected one: that is
   *     forgotten
   */
  public DatabaseProject drop(AccountId account, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + account + id);
  }

  /** The same as part of something else; one that is dropped already stays as it is. */
  public void drop(Handle tx, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + id);
  }

  /**
   * @throws dev.slipway.core.RequestException as {@link #rotate}
   */
  public Backup backUp(AccountId account, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + account + id);
  }

  /** At most {@code limit}, newest first, those before {@code before}. */
  public List<Backup> backups(
      AccountId account, DatabaseId id, Optional<BackupId> before, int limit) {
    throw new UnsupportedOperationException(TO_COME + account + id + before + limit);
  }

  /**
   * Puts what a backup holds in the database's place, also of one that was dropped, and restarts
   * what uses it.
   *
   * @throws dev.slipway.core.RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code
   *     CONFLICT} where the backup is not complete, or something else is being done
   */
  public DatabaseProject restore(AccountId account, DatabaseId id, BackupId backup) {
    throw new UnsupportedOperationException(TO_COME + account + id + backup);
  }
}
