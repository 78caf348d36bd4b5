package dev.slipway.dbproject;

import dev.slipway.account.AccountStore;
import dev.slipway.account.Accounts;
import dev.slipway.account.Actor;
import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.Secret;
import dev.slipway.core.TestClock;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.db.Database;
import dev.slipway.db.StoreAddress;
import dev.slipway.db.TestDatabase;
import dev.slipway.job.Job;
import dev.slipway.job.ManualJobs;
import dev.slipway.sandbox.Trees;
import dev.slipway.vault.Vault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Databases of one account on a real server, with a real store; the test runs the jobs. */
final class DatabasePlane implements AutoCloseable {
  static final Duration EVERY = Duration.ofHours(24);
  static final Duration KEEP = Duration.ofDays(7);

  /** Where the databases of these tests are not, as far as we know. */
  static final StoreAddress STORE =
      new StoreAddress("jdbc:postgresql://127.0.0.1:1/postgres", "slipway", new Secret("secret"));

  final TestClock clock = new TestClock();
  final CutOff cutOff = new CutOff();
  final Database database = TestDatabase.fresh();
  final TestServer server = new TestServer(cutOff);
  final TestListener listener = new TestListener(cutOff);
  final Path directory = makeDirectory();
  final Path backups = directory.resolve("backups");
  final DatabaseProjects projects;
  final DatabaseService service;
  final ManualJobs jobs;
  final Actor actor;
  final AccountId account;
  private volatile StoreAddress store = STORE;

  DatabasePlane() {
    this(0);
  }

  DatabasePlane(long minFreeBytes) {
    projects =
        new DatabaseProjects(
            database,
            Map.of(DatabaseType.POSTGRES, server),
            vault(),
            new BackupSettings(backups, EVERY, KEEP, minFreeBytes),
            () -> store,
            clock);
    service = projects.service();
    service.tell(listener);
    jobs = new ManualJobs(database, clock, projects.jobs());
    Secret key =
        new Accounts(database, new AccountStore(), clock)
            .bootstrap(
                new Accounts.Bootstrap(
                    "admin@example.org",
                    Optional.of(new Secret("a long enough password")),
                    Optional.empty(),
                    "free"))
            .orElseThrow()
            .apiKey();
    actor = new Actor.Key(key);
    account = new AccountId(text("SELECT id FROM account"));
  }

  /** From now on that is where the service keeps its own data, as far as it knows. */
  void storeIsAt(DatabasePlace place) {
    store =
        new StoreAddress(
            "jdbc:postgresql://%s:%d/postgres".formatted(place.host(), place.port()),
            STORE.user(),
            STORE.password());
  }

  /** A database that is asked for, and nothing more. */
  DatabaseId add(DatabaseWish wish) {
    return database.inTransaction(tx -> service.add(tx, account, wish));
  }

  DatabaseId addNew() {
    return add(new DatabaseWish.Create(DatabaseType.POSTGRES, Optional.empty()));
  }

  boolean prepare(DatabaseId id) {
    return database.inTransaction(tx -> service.prepare(tx, id));
  }

  /** One that is ready, with these things in it. */
  DatabaseId ready(String... things) {
    DatabaseId id = addNew();
    prepare(id);
    jobs.runDue();
    listener.events.clear();
    server.dumps.add(link(id), List.of(things));
    return id;
  }

  DatabaseProject read(DatabaseId id) {
    return service.get(account, id);
  }

  DatabaseLink link(DatabaseId id) {
    return service.reveal(account, id, actor);
  }

  List<String> things(DatabaseId id) {
    return server.dumps.things(link(id));
  }

  List<Backup> backups(DatabaseId id) {
    return service.backups(account, id, Optional.empty(), 100);
  }

  List<Path> files() {
    try (var files = Files.walk(directory.resolve("backups"))) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Runs the waiting job of that kind until it is killed at a step, as often as there are steps;
   * each time the rest is left to a server that starts then.
   *
   * @return false where it came to its end
   */
  boolean killedAfter(int steps, Job.Kind kind) {
    String subject = jobs.waiting(kind).getFirst();
    cutOff.after(steps);
    try {
      while (!jobs.run(kind, subject).equals(Job.Outcome.DONE)) {
        // It goes on at once.
      }
      return false;
    } catch (CutOff.KilledException e) {
      return true;
    } finally {
      cutOff.never();
    }
  }

  String text(String query) {
    return database.read(tx -> tx.createQuery(query).mapTo(String.class).one());
  }

  int count(String from) {
    return database.read(
        tx -> tx.createQuery("SELECT count(*) FROM " + from).mapTo(Integer.class).one());
  }

  private Vault vault() {
    try {
      return Vault.open(directory.resolve("master.json"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path makeDirectory() {
    try {
      return Files.createTempDirectory("database-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    database.close();
    Trees.delete(directory);
  }
}
