package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseTest {
  public record Row(DeploymentId id, Instant createdAt, Optional<Instant> liveAt, State state) {}

  public enum State {
    QUEUED,
    LIVE
  }

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00.123456Z");
  private final Database database = TestDatabase.empty();

  @BeforeEach
  void createTable() {
    database.useTransaction(handle ->
        handle.execute(
            """
            CREATE TABLE deployment (
              id text PRIMARY KEY, created_at timestamptz, live_at timestamptz, state text)
            """));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aStoreThatIsFollowedMayBeAwayAtFirstAndIsFoundWhereItComesUp() {
    AtomicReference<Optional<StoreAddress>> where = new AtomicReference<>(Optional.empty());
    try (Database following =
        Database.following(
            () -> where.get().orElseThrow(() -> new TransientException("not up, says a test")))) {
      assertThatThrownBy(() -> following.read(Handle::isInTransaction))
          .isInstanceOf(TransientException.class);

      where.set(Optional.of(database.address()));

      int one = following.read(tx -> tx.createQuery("SELECT 1").mapTo(Integer.class).one());
      assertThat(one).isEqualTo(1);
    }
  }

  @Test
  void recordsComeBackAsTheyWereWritten() {
    Row queued = new Row(new DeploymentId("dep_1"), NOW, Optional.empty(), State.QUEUED);
    Row live = new Row(new DeploymentId("dep_2"), NOW, Optional.of(NOW.plusSeconds(1)), State.LIVE);
    database.useTransaction(handle -> insert(handle, queued));
    database.useTransaction(handle -> insert(handle, live));

    List<Row> rows =
        database.read(handle ->
            handle.select("SELECT * FROM deployment ORDER BY id").mapTo(Row.class).list());

    assertThat(rows).containsExactly(queued, live);
  }

  @Test
  void anIdIsReadFromAColumn() {
    database.useTransaction(handle ->
        insert(handle, new Row(new DeploymentId("dep_1"), NOW, Optional.empty(), State.LIVE)));

    DeploymentId id =
        database.read(
            handle -> handle.select("SELECT id FROM deployment").mapTo(DeploymentId.class).one());

    assertThat(id).isEqualTo(new DeploymentId("dep_1"));
  }

  @Test
  void anInstantIsCutToMicrosecondsAndNeverRoundedIntoTheFuture() {
    Instant precise = Instant.parse("2026-11-21T10:00:00.123456999Z");

    Instant kept =
        database.read(handle ->
            handle
                .select("SELECT CAST(:at AS timestamptz)")
                .bind("at", precise)
                .mapTo(Instant.class)
                .one());

    assertThat(kept).isEqualTo(NOW);
  }

  @Test
  void aTransactionThatThrowsLeavesNothingAndItsExceptionComesOut() {
    assertThatThrownBy(() ->
            database.inTransaction(handle -> {
              insert(handle, new Row(new DeploymentId("dep_1"), NOW, Optional.empty(), State.LIVE));
              throw new IllegalArgumentException("no");
            }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no");
    assertThat(count()).isZero();
  }

  @Test
  void aBrokenRuleOfTheSchemaIsNotTransient() {
    Row row = new Row(new DeploymentId("dep_1"), NOW, Optional.empty(), State.LIVE);
    database.useTransaction(handle -> insert(handle, row));

    assertThatThrownBy(() -> database.useTransaction(handle -> insert(handle, row)))
        .isInstanceOf(UnableToExecuteStatementException.class);
  }

  @Test
  void aLostConnectionIsTransientAndTheNextCallWorks() {
    assertThatThrownBy(() ->
            database.useTransaction(handle -> {
              int backend = handle.select("SELECT pg_backend_pid()").mapTo(int.class).one();
              database.useTransaction(
                  other -> other.execute("SELECT pg_terminate_backend(?)", backend));
              handle.execute("SELECT 1");
            }))
        .isInstanceOf(TransientException.class);
    assertThat(count()).isZero();
  }

  @Test
  void aStoreThatIsNotThereIsTransient() {
    StoreAddress nobody =
        new StoreAddress(
            "jdbc:postgresql://127.0.0.1:%d/postgres"
                .formatted(PostgresProfile.STORE.ports().choose()),
            "slipway",
            new Secret("none"));

    assertThatThrownBy(() -> Database.connect(nobody))
        .isInstanceOf(TransientException.class)
        .hasMessageContaining(nobody.jdbcUrl());
  }

  @Test
  void callsInsideASharedTransactionAreKeptTogetherOrNotAtAll() {
    assertThatThrownBy(() ->
            database.inSharedTransaction(_ -> {
              database.useTransaction(tx -> insert(tx, row("dep_1")));
              assertThat(count()).isOne();
              throw new IllegalArgumentException("no");
            }))
        .hasMessage("no");
    assertThat(count()).isZero();

    int seenByOthers =
        database.inSharedTransaction(_ -> {
          database.useTransaction(tx -> insert(tx, row("dep_1")));
          return database.readCommitted(DatabaseTest::count);
        });

    assertThat(seenByOthers).isZero();
    assertThat(count()).isOne();
  }

  @Test
  void whatFollowsASharedTransactionSeesItsEndHoweverItEnds() {
    List<Integer> seen = new ArrayList<>();
    database.inSharedTransaction(shared -> {
      insert(shared, row("dep_1"));
      database.inSharedTransaction(_ -> {
        database.afterwards(() -> seen.add(database.readCommitted(DatabaseTest::count)));
        return true;
      });
      assertThat(seen).isEmpty();
      return true;
    });
    assertThat(seen).containsExactly(1);

    assertThatThrownBy(() ->
            database.inSharedTransaction(shared -> {
              insert(shared, row("dep_2"));
              database.afterwards(() -> seen.add(database.readCommitted(DatabaseTest::count)));
              throw new IllegalArgumentException("no");
            }))
        .hasMessage("no");
    assertThat(seen).containsExactly(1, 1);

    database.afterwards(() -> seen.add(0));
    assertThat(seen).as("outside of any, at once").containsExactly(1, 1, 0);
  }

  @Test
  void aCallInsideASharedTransactionThatFailsIsUndoneAlone() {
    database.inSharedTransaction(shared -> {
      insert(shared, row("dep_1"));
      assertThatThrownBy(() ->
              database.useTransaction(tx -> {
                database.useTransaction(inner -> insert(inner, row("dep_2")));
                insert(tx, row("dep_1"));
              }))
          .isInstanceOf(UnableToExecuteStatementException.class);
      database.useTransaction(tx -> insert(tx, row("dep_3")));
      return true;
    });

    List<String> kept =
        database.read(tx ->
            tx.createQuery("SELECT id FROM deployment ORDER BY id").mapTo(String.class).list());
    assertThat(kept).containsExactly("dep_1", "dep_3");
  }

  private int count() {
    return database.read(DatabaseTest::count);
  }

  private static int count(Handle handle) {
    return handle.select("SELECT count(*) FROM deployment").mapTo(int.class).one();
  }

  private static Row row(String id) {
    return new Row(new DeploymentId(id), NOW, Optional.empty(), State.LIVE);
  }

  private static void insert(Handle handle, Row row) {
    handle
        .createUpdate("INSERT INTO deployment VALUES (:id, :createdAt, :liveAt, :state)")
        .bindMethods(row)
        .execute();
  }
}
