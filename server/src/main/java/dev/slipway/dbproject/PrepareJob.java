package dev.slipway.dbproject;

import dev.slipway.core.Failure;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.Dumps;
import dev.slipway.db.Database;
import dev.slipway.runlog.Masker;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * From a wish to a database that can be used: made, and filled from another one where that is
 * wanted, or found to answer. Each run begins anew, with another database on the server.
 */
final class PrepareJob extends TaskJob {
  static final Kind KIND = new Kind("database-prepare", Queue.DATABASES);

  private final Database database;
  private final DatabaseStore store;
  private final LeftoverStore leftovers;
  private final Servers servers;
  private final OwnStore ownStore;
  private final Making making;
  private final Supplier<DatabaseListener> listener;
  private final Clock clock;

  PrepareJob(
      Database database,
      DatabaseStore store,
      LeftoverStore leftovers,
      Servers servers,
      OwnStore ownStore,
      Runs runs,
      Making making,
      Supplier<DatabaseListener> listener,
      Clock clock) {
    super(KIND, DatabaseStatus.PREPARING, runs);
    this.database = database;
    this.store = store;
    this.leftovers = leftovers;
    this.servers = servers;
    this.ownStore = ownStore;
    this.making = making;
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  Outcome work(Run run) throws InterruptedException {
    Masker masker = database.read(tx -> masker(tx, run));
    News news = new News(database, listener.get(), run.project(), masker);
    return isWanted(run) ? prepare(run, news) : unwanted(run);
  }

  /** Of what users gave: what a server says of them may quote them. */
  private Masker masker(Handle tx, Run run) {
    return new Masker(
        Stream.of(store.connected(tx, run.id()), store.importFrom(tx, run.id()))
            .flatMap(Optional::stream)
            .map(link -> link.login().password().reveal())
            .toList());
  }

  private Outcome prepare(Run run, News news) throws InterruptedException {
    return switch (run.project().origin()) {
      case CREATED -> create(run, news);
      case CONNECTED -> connect(run, news);
    };
  }

  private Outcome create(Run run, News news) throws InterruptedException {
    Optional<DatabaseLink> source = database.read(tx -> store.importFrom(tx, run.id()));
    source.ifPresent(this::check);
    Optional<Physical> made = making.database(run);
    if (made.isEmpty()) {
      return Outcome.DONE;
    }
    news.say("The database is made.");
    if (source.isPresent() && !copy(run, source.get(), servers.link(made.get()), news)) {
      return unwanted(run);
    }
    return runs.conclude(
        run,
        tx -> {
          making.use(tx, run, made.get(), clock.instant());
          return ready(tx, run);
        });
  }

  private boolean copy(Run run, DatabaseLink from, DatabaseLink into, News news)
      throws InterruptedException {
    news.say("Copying %s from %s.".formatted(from.place().name(), from.place().host()));
    Dumps dumps = servers.dumps(run.project().type());
    return Watch.over(() -> isWanted(run), () -> dumps.copy(from, into, news::say));
  }

  private Outcome connect(Run run, News news) throws InterruptedException {
    DatabaseLink link = database.read(tx -> store.connected(tx, run.id())).orElseThrow();
    DatabaseFacts facts = check(link);
    news.say("The database at %s answers: %s.".formatted(link.place().host(), facts.version()));
    return runs.conclude(run, tx -> ready(tx, run));
  }

  private DatabaseFacts check(DatabaseLink link) {
    ownStore.requireElsewhere(link.place());
    return servers.provider(link.place().type()).check(link);
  }

  private Outcome ready(Handle tx, Run run) {
    store.copied(tx, run.id());
    store.end(tx, run.id(), DatabaseStatus.READY, Optional.empty());
    listener.get().ready(tx, store.find(tx, run.id()).orElseThrow());
    return Outcome.DONE;
  }

  @Override
  void fail(Handle tx, Run run, Failure failure) {
    Failure masked = new Failure(failure.code(), masker(tx, run).mask(failure.message()));
    leftovers.doom(tx, run.id(), Leftover.State.MADE, clock.instant());
    store.end(tx, run.id(), DatabaseStatus.FAILED, Optional.of(masked));
    listener.get().failed(tx, store.find(tx, run.id()).orElseThrow(), masked);
  }

  private boolean isWanted(Run run) {
    return database.read(
        tx -> store.isCurrent(tx, run) && listener.get().isAwaited(tx, run.project()));
  }

  /** Nobody waits: the next deployment has all of it begin anew. */
  private Outcome unwanted(Run run) throws InterruptedException {
    return runs.conclude(
        run,
        tx -> {
          leftovers.doom(tx, run.id(), Leftover.State.MADE, clock.instant());
          // Somebody may have come while this was being ended.
          if (listener.get().isAwaited(tx, run.project())) {
            return new Outcome.Again(Duration.ZERO);
          }
          store.putOff(tx, run.id());
          return Outcome.DONE;
        });
  }
}
