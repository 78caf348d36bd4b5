package dev.slipway.runlog;

import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jdbi.v3.core.Handle;

/**
 * All run logs: made, written, read and followed. Thread-safe.
 *
 * <p>Followers are woken through the store, so that a log written by one replica can be followed at
 * another.
 */
public final class RunLogs {
  private static final String CHANNEL = "slipway_log";

  private final Database database;
  private final LogStore store;
  private final Clock clock;
  private final Map<String, Set<Runnable>> followers = new ConcurrentHashMap<>();

  /**
   * @param cap how much of each log is kept
   */
  public RunLogs(Database database, Notifications notifications, LogCap cap, Clock clock) {
    this.database = database;
    this.store = new LogStore(cap);
    this.clock = clock;
    notifications.subscribe(CHANNEL, this::wake, this::wakeAll);
  }

  /** Makes an empty log in the caller's transaction. */
  public void create(Handle tx, String logId) {
    store.create(tx, logId);
  }

  /** A log to write to while work is under way. Close it to have everything written. */
  public OpenLog open(String logId, Masker masker) {
    LogBuffer buffer =
        new LogBuffer(entries -> database.useTransaction(tx -> append(tx, logId, entries)));
    return new OpenLog(new RunLog(buffer, masker, clock), buffer);
  }

  /** Adds an entry in the caller's transaction, together with the move that it tells of. */
  public void append(Handle tx, String logId, LogLevel level, String message) {
    append(tx, logId, List.of(new LogEntry(clock.instant(), level, message)));
  }

  /** Says that no entry will follow: those who follow the log are done after the last. */
  public void close(Handle tx, String logId) {
    store.close(tx, logId);
    Notifications.notify(tx, CHANNEL, logId);
  }

  /**
   * At most {@code limit} entries after the one at {@code afterSeq}; 0 means from the start. Where
   * entries were left out, one with the number of the last of them says so.
   */
  public List<StoredEntry> read(String logId, long afterSeq, int limit) {
    return database.read(tx -> store.read(tx, logId, afterSeq, limit));
  }

  /** The number of the newest entry; 0 where there is none. */
  public long lastSeq(String logId) {
    return database.read(tx -> store.lastSeq(tx, logId));
  }

  /** Whether the log has got its last entry. */
  public boolean closed(String logId) {
    return database.read(tx -> store.closed(tx, logId));
  }

  /**
   * Calls {@code onChange} soon after each change of a log, until the returned handle is closed. It
   * may be called without a change and must not block.
   */
  public Following follow(String logId, Runnable onChange) {
    followers.computeIfAbsent(logId, id -> new CopyOnWriteArraySet<>()).add(onChange);
    return () ->
        followers.computeIfPresent(
            logId,
            (id, all) -> {
              all.remove(onChange);
              return all.isEmpty() ? null : all;
            });
  }

  /** How many follow a log here. */
  public int followers() {
    return followers.values().stream().mapToInt(Set::size).sum();
  }

  /** Ends with {@link #close}. */
  public interface Following extends AutoCloseable {
    @Override
    void close();
  }

  /** A log being written. */
  public record OpenLog(RunLog log, LogBuffer buffer) implements AutoCloseable {
    @Override
    public void close() {
      buffer.close();
    }
  }

  private void append(Handle tx, String logId, List<LogEntry> entries) {
    store.append(tx, logId, entries);
    Notifications.notify(tx, CHANNEL, logId);
  }

  private void wake(String logId) {
    followers.getOrDefault(logId, Set.of()).forEach(Runnable::run);
  }

  private void wakeAll() {
    followers.values().forEach(all -> all.forEach(Runnable::run));
  }
}
