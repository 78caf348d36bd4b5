package dev.slipway.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Eventually;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every server that databases are made on has to do, against a real one of its kind. */
@Timeout(120)
public abstract class DatabaseServerContract {
  private static final int AT_ONCE = 6;

  private final ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();
  private final String name = newName();
  private final DatabaseLogin first = login(name, 1);
  private final DatabaseLogin second = login(name, 2);

  protected abstract DatabaseServer server();

  /** Logs in, as an application does. */
  protected abstract Connection connect(DatabaseLink link) throws SQLException;

  /** The server's own database, where it is closed to the logins that we make. */
  protected abstract Optional<DatabasePlace> own();

  /**
   * Statements of the server's administrator, each of which brings a creation that is cut off right
   * behind it one step further.
   *
   * @param login whose password is still another one
   */
  protected abstract List<String> stepsOfCreation(String name, DatabaseLogin login);

  protected abstract void administer(String statement) throws SQLException;

  @AfterEach
  void dropWhatWasMade() {
    names.forEach(server()::drop);
  }

  @Test
  void isTheSameServerEachTime() {
    assertThat(server().id()).isEqualTo(server().id()).isNotBlank();
    assertThat(server().place(name)).isEqualTo(server().place(name));
    assertThat(server().place(name).name()).isEqualTo(name);
  }

  @Test
  void makesADatabaseThatItsLoginCanUse() throws Exception {
    server().create(name, first);
    execute(first, "CREATE TABLE ship (name varchar(40))");
    execute(first, "INSERT INTO ship VALUES ('Argo')");
    assertThat(read(first, "SELECT name FROM ship")).containsExactly("Argo");
  }

  @Test
  void madeTwiceKeepsItsRowsAndTakesTheLastPassword() throws Exception {
    server().create(name, first);
    execute(first, "CREATE TABLE ship (name varchar(40))");
    DatabaseLogin again = new DatabaseLogin(first.user(), new Secret("another-9f2c1d77"));
    server().create(name, again);

    assertThat(read(again, "SELECT name FROM ship")).isEmpty();
    assertThatThrownBy(() -> open(first)).isInstanceOf(SQLException.class);
  }

  @Test
  void finishesWhatWasCutOffAnywhere() throws Exception {
    int steps = stepsOfCreation(name, first).size();
    assertThat(steps).isPositive();
    for (int done = 1; done <= steps; done++) {
      String half = newName();
      DatabaseLogin login = login(half, 1);
      for (String step : stepsOfCreation(half, login).subList(0, done)) {
        administer(step);
      }
      server().create(half, login);
      try (Connection connection = connect(link(half, login))) {
        execute(connection, "CREATE TABLE ship (name varchar(40))");
      }
    }
  }

  @Test
  void dropsWhatWasCutOffAnywhere() throws Exception {
    int steps = stepsOfCreation(name, first).size();
    for (int done = 1; done <= steps; done++) {
      String half = newName();
      List<String> created = stepsOfCreation(half, login(half, 1));
      for (String step : created.subList(0, done)) {
        administer(step);
      }
      server().drop(half);
      // Nothing is left in the way of the same steps.
      for (String step : created.subList(0, done)) {
        administer(step);
      }
    }
  }

  @Test
  void whatOneLoginMakesIsTheOthersToo() throws Exception {
    server().create(name, first);
    execute(first, "CREATE TABLE ship (name varchar(40))");
    execute(first, "INSERT INTO ship VALUES ('Argo')");
    server().addLogin(name, second);
    server().addLogin(name, second);

    execute(second, "ALTER TABLE ship ADD COLUMN oars integer");
    execute(second, "INSERT INTO ship VALUES ('Pinta', 0)");
    execute(second, "CREATE TABLE port (name varchar(40))");
    assertThat(read(first, "SELECT name FROM ship ORDER BY name")).containsExactly("Argo", "Pinta");
    execute(first, "DROP TABLE port");
    execute(second, "DROP TABLE ship");
  }

  @Test
  void aRevokedLoginIsOutAtOnceAndWhatItMadeStays() throws Exception {
    server().create(name, first);
    server().addLogin(name, second);
    execute(first, "CREATE TABLE ship (name varchar(40))");
    try (Connection open = open(first)) {
      server().dropLogin(name, first.user());
      assertThatThrownBy(() -> execute(open, "INSERT INTO ship VALUES ('Argo')"))
          .isInstanceOf(SQLException.class);
    }
    assertThatThrownBy(() -> open(first)).isInstanceOf(SQLException.class);
    execute(second, "ALTER TABLE ship ADD COLUMN oars integer");
    execute(second, "DROP TABLE ship");

    server().dropLogin(name, first.user());
    server().dropLogin(name, name + "_7"); // never made
  }

  @Test
  void aLoginReachesNothingButItsDatabase() throws Exception {
    String other = newName();
    server().create(name, first);
    server().create(other, login(other, 1));

    assertThatThrownBy(() -> connect(new DatabaseLink(server().place(other), first)))
        .isInstanceOf(SQLException.class);
    own()
        .ifPresent(place ->
            assertThatThrownBy(() -> connect(new DatabaseLink(place, first)))
                .isInstanceOf(SQLException.class));
    assertThatThrownBy(() -> execute(first, "CREATE DATABASE db_of_its_own"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void tellsOfADatabase() throws Exception {
    server().create(name, first);
    try (Connection open = open(first)) {
      execute(open, "CREATE TABLE ship (name varchar(40))");
      DatabaseFacts facts = server().facts(name);
      assertThat(facts.sizeBytes()).isPositive();
      assertThat(facts.connections()).isEqualTo(1);
      assertThat(facts.version()).matches("(PostgreSQL|MySQL|MariaDB) \\d+\\.\\d+.*");
    }
  }

  @Test
  void tellsThatThereIsNoneOfThatName() {
    assertThatThrownBy(() -> server().facts(name))
        .isInstanceOfSatisfying(
            AppFailure.class,
            failure -> assertThat(failure.failure().code()).isEqualTo(FailureCode.DATABASE_FAILED));
  }

  @Test
  void dropsADatabaseThatIsInUseWithAllOfItsLogins() throws Exception {
    server().create(name, first);
    server().addLogin(name, second);
    try (Connection one = open(first);
        Connection other = open(second)) {
      execute(one, "CREATE TABLE ship (name varchar(40))");
      server().drop(name);
      Eventually.holds("its sessions have ended", () -> hasEnded(one) && hasEnded(other));
    }
    assertThatThrownBy(() -> open(first)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> server().facts(name)).isInstanceOf(AppFailure.class);

    server().drop(name);
    server().create(name, second);
    assertThatCode(() -> execute(second, "CREATE TABLE ship (name varchar(40))"))
        .as("nothing of the earlier one is left")
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> open(first)).isInstanceOf(SQLException.class);
  }

  @Test
  void makesAndDropsSeveralAtOnce() throws Exception {
    List<String> several = IntStream.range(0, AT_ONCE).mapToObj(_ -> newName()).toList();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = several.stream().map(it -> makingAndDropping(it, failures)).toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  private Thread makingAndDropping(String one, ConcurrentLinkedQueue<Throwable> failures) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            server().create(one, login(one, 1));
            server().addLogin(one, login(one, 2));
            try (Connection connection = connect(link(one, login(one, 2)))) {
              execute(connection, "CREATE TABLE ship (name varchar(40))");
            }
            server().dropLogin(one, login(one, 2).user());
            server().drop(one);
          } catch (SQLException | RuntimeException e) {
            failures.add(e);
          }
        });
  }

  /** A name of the kind that databases get; what is made under it is dropped after the test. */
  protected final String newName() {
    String made = "db_" + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36);
    names.add(made);
    return made;
  }

  protected static DatabaseLogin login(String name, int number) {
    return new DatabaseLogin(name + "_" + number, new Secret("pass'word-\"%d".formatted(number)));
  }

  protected final DatabaseLink link(String of, DatabaseLogin login) {
    return new DatabaseLink(server().place(of), login);
  }

  protected static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  protected static List<String> read(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      Stream.Builder<String> values = Stream.builder();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values.build().toList();
    }
  }

  private Connection open(DatabaseLogin login) throws SQLException {
    return connect(link(name, login));
  }

  private void execute(DatabaseLogin login, String sql) throws SQLException {
    try (Connection connection = open(login)) {
      execute(connection, sql);
    }
  }

  private List<String> read(DatabaseLogin login, String query) throws SQLException {
    try (Connection connection = open(login)) {
      return read(connection, query);
    }
  }

  private static boolean hasEnded(Connection connection) {
    try {
      execute(connection, "SELECT 1");
      return false;
    } catch (SQLException e) {
      return true;
    }
  }
}
