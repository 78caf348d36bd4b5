package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The log of who did what in an account. Thread-safe. */
public final class Audit {
  private final Database database;
  private final AuditStore store = new AuditStore();
  private final Clock clock;

  public Audit(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Writes an entry along with what was done.
   *
   * @param action such as {@code env_vars.reveal}
   * @param subject the id of what it was done to
   * @param detail for people; may be empty
   * @throws RequestException {@code UNAUTHORIZED} where the key was revoked, or the session ended,
   *     a moment ago
   */
  public void write(
      Handle tx, AccountId account, Actor actor, String action, String subject, String detail) {
    store.write(tx, account, actor, action, subject, detail, clock.instant());
  }

  /** The same alone, in a transaction of its own. */
  public void write(AccountId account, Actor actor, String action, String subject, String detail) {
    database.useTransaction(tx -> write(tx, account, actor, action, subject, detail));
  }

  /**
   * Newest first.
   *
   * @param before the id of the entry that was read last
   */
  public List<AuditEntry> list(AccountId account, Optional<Long> before, int limit) {
    return database.read(tx -> store.list(tx, account, before, limit));
  }

  /**
   * The first entry of each subject, by subject: of a deployment, who asked for it. Subjects
   * without one are absent.
   */
  public Map<String, AuditEntry> first(AccountId account, Collection<String> subjects) {
    return subjects.isEmpty()
        ? Map.of()
        : database.read(tx -> store.first(tx, account, subjects)).stream()
            .collect(Collectors.toUnmodifiableMap(AuditEntry::subject, Function.identity()));
  }
}
