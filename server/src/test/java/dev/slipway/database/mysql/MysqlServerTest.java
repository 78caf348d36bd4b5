package dev.slipway.database.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Eventually;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseServer;
import dev.slipway.database.DatabaseServerContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The contract on a MariaDB of the distribution, by an administrator who may do no more. */
class MysqlServerTest extends DatabaseServerContract {
  private static final List<String> DEFINED =
      List.of(
          "CREATE TABLE ship (name varchar(40))",
          "CREATE TABLE voyage (name varchar(40))",
          "CREATE TABLE ticks (at datetime)",
          "CREATE VIEW fleet AS SELECT name FROM ship",
          """
          CREATE TRIGGER sail AFTER INSERT ON ship FOR EACH ROW
          INSERT INTO voyage VALUES (NEW.name)
          """,
          "CREATE FUNCTION oars(n integer) RETURNS integer DETERMINISTIC RETURN 2 * n",
          "CREATE PROCEDURE dock() SELECT name FROM fleet",
          "CREATE EVENT clock ON SCHEDULE EVERY 1 SECOND DO INSERT INTO ticks VALUES (NOW())");

  @Override
  protected DatabaseServer server() {
    return new MysqlServer(TestMariadb.server().administrator());
  }

  @Override
  protected Connection connect(DatabaseLink link) throws SQLException {
    return TestMariadb.connect(link);
  }

  @Override
  protected Optional<DatabasePlace> own() {
    return Optional.of(server().place("mysql"));
  }

  @Override
  protected List<String> stepsOfCreation(String name, DatabaseLogin login) {
    return List.of(
        "CREATE DATABASE " + name,
        "CREATE USER '%s'@'%%' IDENTIFIED BY 'another'".formatted(login.user()),
        "GRANT ALL PRIVILEGES ON `%s`.* TO '%s'@'%%'"
            .formatted(name.replace("_", "\\_"), login.user()));
  }

  @Override
  protected void administer(String statement) throws SQLException {
    try (Connection connection = connect(TestMariadb.server().administrator())) {
      execute(connection, statement);
    }
  }

  @Test
  void whatARevokedLoginDefinedGoesOnWorking() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    server().addLogin(name, login(name, 2));
    try (Connection connection = connect(link(name, login(name, 1)))) {
      for (String statement : DEFINED) {
        execute(connection, statement);
      }
    }
    server().dropLogin(name, login(name, 1).user());

    assertThatThrownBy(() -> connect(link(name, login(name, 1)))).isInstanceOf(SQLException.class);
    try (Connection connection = connect(link(name, login(name, 2)))) {
      execute(connection, "INSERT INTO ship VALUES ('Argo')");
      assertThat(read(connection, "SELECT name FROM fleet")).containsExactly("Argo");
      assertThat(read(connection, "SELECT name FROM voyage")).containsExactly("Argo");
      assertThat(read(connection, "SELECT oars(21)")).containsExactly("42");
      assertThat(read(connection, "CALL dock()")).containsExactly("Argo");
      int before = read(connection, "SELECT * FROM ticks").size();
      Eventually.holds("the event goes on", () -> ticks(connection) > before + 1);
      execute(connection, "DROP VIEW fleet");
      execute(connection, "DROP PROCEDURE dock");
    }
  }

  @Test
  void aRevokedLoginIsOutInTheMiddleOfAStatement() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    try (Connection connection = connect(link(name, login(name, 1)))) {
      List<SQLException> thrown = new CopyOnWriteArrayList<>();
      Thread asking =
          Thread.startVirtualThread(() -> {
            try {
              execute(connection, "SELECT SLEEP(60)");
              execute(connection, "SELECT 1");
            } catch (SQLException e) {
              thrown.add(e);
            }
          });
      Eventually.holds("it is being asked", () -> isAsked("SELECT SLEEP(60)"));
      server().dropLogin(name, login(name, 1).user());
      asking.join();
      assertThat(thrown).hasSize(1);
    }
  }

  @Test
  void aSessionInARoutineOfARevokedLoginGoesOn() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    server().addLogin(name, login(name, 2));
    try (Connection first = connect(link(name, login(name, 1)))) {
      execute(first, "CREATE PROCEDURE dock() SELECT SLEEP(0.05)");
    }
    AtomicBoolean over = new AtomicBoolean();
    List<SQLException> thrown = new CopyOnWriteArrayList<>();
    try (Connection second = connect(link(name, login(name, 2)))) {
      Thread docking =
          Thread.startVirtualThread(() -> {
            try {
              while (!over.get()) {
                execute(second, "CALL dock()");
                LockSupport.parkNanos(20_000_000); // as a program that does something else too
              }
            } catch (SQLException e) {
              thrown.add(e);
            }
          });
      Eventually.holds("it is in the routine", () -> isShown(login(name, 1).user()));
      server().dropLogin(name, login(name, 1).user());
      over.set(true);
      docking.join();
    }
    assertThat(thrown).isEmpty();
  }

  @Test
  void aSessionOfARevokedLoginIsFoundThoughItIsOftenInARoutineOfAnother() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    server().addLogin(name, login(name, 2));
    try (Connection second = connect(link(name, login(name, 2)))) {
      execute(second, "CREATE PROCEDURE dock() SELECT SLEEP(0.05)");
    }
    List<SQLException> thrown = new CopyOnWriteArrayList<>();
    try (Connection first = connect(link(name, login(name, 1)))) {
      Thread hiding =
          Thread.startVirtualThread(() -> {
            try {
              while (true) {
                execute(first, "CALL dock()");
                LockSupport.parkNanos(20_000_000);
              }
            } catch (SQLException e) {
              thrown.add(e);
            }
          });
      Eventually.holds("it is in the routine", () -> isShown(login(name, 2).user()));
      server().dropLogin(name, login(name, 1).user());
      hiding.join();
    }
    assertThat(thrown).hasSize(1);
  }

  @Test
  void aLockThatATenantHoldsKeepsNobodyFromRevokingHisLogin() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    try (Connection thief = connect(link(name, login(name, 1)))) {
      for (String lock : List.of(name, "slipway:" + name)) {
        assertThat(read(thief, "SELECT GET_LOCK('%s', 0)".formatted(lock))).containsExactly("1");
      }
      server().addLogin(name, login(name, 2));
      server().dropLogin(name, login(name, 1).user());
      server().drop(name);
    }
  }

  @Test
  void aLoginCannotTakeAllConnectionsOfTheServer() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    List<Connection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        open.add(connect(link(name, login(name, 1))));
      }
      assertThatThrownBy(() -> connect(link(name, login(name, 1))))
          .hasMessageContaining("max_user_connections");
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
  }

  @Test
  void leavesNoLoginOfADatabaseThatIsDropped() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    server().addLogin(name, login(name, 2));
    server().dropLogin(name, login(name, 1).user());
    server().drop(name);
    try (Connection connection = connect(TestMariadb.server().operator())) {
      assertThat(
              read(
                  connection, "SELECT user FROM mysql.user WHERE user LIKE '%s%%'".formatted(name)))
          .isEmpty();
    }
  }

  @Test
  void makesNoLoginForADatabaseThatThereIsNot() {
    String name = newName();
    assertThatThrownBy(() -> server().addLogin(name, login(name, 1)))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("there is no database");
  }

  @Test
  void tellsNoPasswordToAServerThatLogsAllStatements() throws Exception {
    String name = newName();
    server().create(name, new DatabaseLogin(name + "_1", new Secret("unheard-of-7731")));
    assertThat(TestMariadb.server().log()).contains(name + "_1").doesNotContain("unheard-of-7731");
  }

  private static int ticks(Connection connection) {
    try {
      return read(connection, "SELECT * FROM ticks").size();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isAsked(String query) {
    return processes("info").contains(query);
  }

  private static boolean isShown(String user) {
    return processes("user").contains(user);
  }

  private static List<String> processes(String column) {
    try (Connection connection = TestMariadb.connect(TestMariadb.server().operator())) {
      return read(connection, "SELECT %s FROM information_schema.processlist".formatted(column));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
