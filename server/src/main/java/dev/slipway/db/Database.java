package dev.slipway.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.slipway.core.TransientException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * The pool of connections and what the stores do with them.
 *
 * <p>Each call takes one connection and gives it back; calls do not nest into one transaction, save
 * inside {@link #inSharedTransaction}. What a callback throws comes out as it is, with two
 * exceptions: a lost or refused connection and a lost race between transactions come out as {@link
 * TransientException}. A transaction whose connection is lost during its commit may have been
 * committed: its retry must bear that.
 *
 * <p>Threads: all methods from any thread. At most {@value #CONNECTIONS} callbacks run at once,
 * others wait up to five seconds: never wait for something else inside one.
 */
public final class Database implements AutoCloseable {
  private static final int CONNECTIONS = 10;
  private static final int IDLE_CONNECTIONS = 2;
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHORT_CONNECTION_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);

  private final Supplier<StoreAddress> address;
  private final HikariDataSource pool;
  private final Jdbi jdbi;
  private final ScopedValue<Shared> shared = ScopedValue.newInstance();
  private final AtomicLong joins = new AtomicLong();

  private Database(Supplier<StoreAddress> address, HikariDataSource pool) {
    this.address = address;
    this.pool = pool;
    this.jdbi = Mapping.over(pool);
  }

  /**
   * Opens the pool.
   *
   * @throws TransientException when no connection can be had within five seconds
   */
  public static Database connect(StoreAddress address) {
    HikariConfig config = settings();
    config.setJdbcUrl(address.jdbcUrl());
    config.setDataSourceProperties(address.limitedProperties("slipway"));
    config.setInitializationFailTimeout(CONNECTION_TIMEOUT.toMillis());
    try {
      return new Database(() -> address, new HikariDataSource(config));
    } catch (PoolInitializationException e) {
      throw new TransientException(
          "cannot connect to the store at %s: %s".formatted(address.jdbcUrl(), e.getMessage()), e);
    }
  }

  /**
   * Opens the pool of a store that may be down for long, also now, and come back elsewhere. Calls
   * fail after two seconds while it is.
   *
   * @param store asked before each connect; may throw {@link TransientException}
   */
  public static Database following(Supplier<StoreAddress> store) {
    HikariConfig config = settings();
    config.setDataSource(new FollowingDataSource(store, StoreAddress::limitedProperties));
    config.setMinimumIdle(0);
    config.setConnectionTimeout(SHORT_CONNECTION_TIMEOUT.toMillis()); // who asks can do without
    config.setInitializationFailTimeout(-1);
    return new Database(store, new HikariDataSource(config));
  }

  private static HikariConfig settings() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("store");
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(IDLE_CONNECTIONS);
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    config.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
    config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
    return config;
  }

  /** Runs it in a transaction: committed when it returns, rolled back when it throws. */
  public <T> T inTransaction(Function<Handle, T> work) {
    return translated(() -> shared.isBound() ? joined(work) : jdbi.inTransaction(work::apply));
  }

  /**
   * Runs it in a transaction that all calls of this thread inside it join: nothing of what they did
   * is kept unless all of it is. A call inside that throws is undone alone, if it is caught.
   *
   * <p>What is done outside of the store after a call inside has returned, is done before the
   * commit, unless it is asked for by {@link #afterwards}.
   */
  public <T> T inSharedTransaction(Function<Handle, T> work) {
    if (shared.isBound()) {
      return translated(() -> joined(work));
    }
    Shared scope = new Shared();
    try {
      return translated(() -> ScopedValue.where(shared, scope).call(() -> scope.run(jdbi, work)));
    } finally {
      scope.afterwards.forEach(Runnable::run);
    }
  }

  /**
   * Does something as soon as the shared transaction that this thread is in has ended, however it
   * did, and has given back its connection; at once where it is in none. For what needs a
   * connection of its own: many that hold one and wait for another would wait for each other.
   */
  public void afterwards(Runnable action) {
    if (shared.isBound()) {
      shared.get().afterwards.add(action);
    } else {
      action.run();
    }
  }

  /** A transaction that several calls of one thread join. */
  private static final class Shared {
    private final List<Runnable> afterwards = new ArrayList<>();
    private Optional<Handle> handle = Optional.empty();

    <T> T run(Jdbi jdbi, Function<Handle, T> work) {
      return jdbi.inTransaction((Handle tx) -> {
        handle = Optional.of(tx);
        return work.apply(tx);
      });
    }

    Handle tx() {
      return handle.orElseThrow();
    }
  }

  /** {@link #inTransaction} without a result. */
  public void useTransaction(Consumer<Handle> work) {
    var _ =
        inTransaction(tx -> {
          work.accept(tx);
          return Optional.empty();
        });
  }

  /** Runs one statement, which is a transaction of its own: a single round trip to the store. */
  public <T> T statement(Function<Handle, T> work) {
    return read(work);
  }

  /** Runs queries, each seeing what is committed when it starts; not for writing. */
  public <T> T read(Function<Handle, T> work) {
    return translated(
        () -> shared.isBound() ? work.apply(shared.get().tx()) : jdbi.withHandle(work::apply));
  }

  /** The same on a connection of its own, also inside a shared transaction: what is committed. */
  public <T> T readCommitted(Function<Handle, T> work) {
    return translated(() -> {
      // Opened by hand: JDBI would hand out the one that this thread has already.
      try (Handle handle = jdbi.open()) {
        return work.apply(handle);
      }
    });
  }

  /** For libraries that bring their own SQL; its connections count against the same limit. */
  public DataSource dataSource() {
    return pool;
  }

  public StoreAddress address() {
    return address.get();
  }

  public boolean isClosed() {
    return pool.isClosed();
  }

  @Override
  public void close() {
    pool.close();
  }

  private <T> T joined(Function<Handle, T> work) {
    Handle tx = shared.get().tx();
    String before = "before_" + joins.incrementAndGet();
    tx.savepoint(before);
    try {
      T result = work.apply(tx);
      tx.releaseSavepoint(before);
      return result;
    } catch (RuntimeException e) {
      tx.rollbackToSavepoint(before);
      throw e;
    }
  }

  private <T> T translated(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      throw sqlCause(e)
          // Closed: this server is being ended, another may answer.
          .filter(cause -> SqlState.of(cause).isPassing() || pool.isClosed())
          .<RuntimeException>map(
              cause -> new TransientException("the store did not answer: " + cause.getMessage(), e))
          .orElse(e);
    }
  }

  // Callbacks may wrap what JDBI wrapped: look at all causes. Chains are short and do not loop.
  private static Optional<SQLException> sqlCause(Throwable failure) {
    for (Throwable it = failure; it != null; it = it.getCause()) {
      if (it instanceof TransientException) {
        return Optional.empty(); // somebody has already said it better
      }
      if (it instanceof SQLException cause) {
        return Optional.of(cause);
      }
    }
    return Optional.empty();
  }
}
