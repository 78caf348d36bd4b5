package dev.slipway.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabaseServer;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The contract on our own cluster, where we are a superuser. */
class EmbeddedServerTest extends PostgresServerContract {
  private static final Path FOLDER = TestPostgres.folder();
  private static final PostgresSettings SETTINGS = TestPostgres.settings(FOLDER);
  private static final ApplicationsCluster CLUSTER = new ApplicationsCluster(SETTINGS);

  @AfterAll
  static void end() {
    CLUSTER.endEverything();
    TestPostgres.delete(FOLDER);
  }

  @Override
  protected DatabaseServer server() {
    return CLUSTER.server();
  }

  @Override
  DatabaseLink administrator() {
    return CLUSTER.administrator();
  }

  @Test
  void keepsWhatProgramsRaiseAndPasswordsOutOfItsLog() throws Exception {
    String name = newName();
    DatabaseLogin login = new DatabaseLogin(name + "_1", new Secret("unheard-of-7731"));
    server().create(name, login);
    try (Connection connection = connect(link(name, login))) {
      execute(connection, "DO $$ BEGIN RAISE LOG 'a line of a program'; END $$");
      assertThatThrownBy(() -> execute(connection, "SET log_min_messages = 'debug1'"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(Files.readString(FOLDER.resolve("postgres").resolve("log")))
        .doesNotContain("a line of a program", "unheard-of-7731", "SCRAM-SHA-256$");
  }

  @Test
  void aDatabasesOwnSettingsDoNotKeepALoginFromBeingDropped() throws Exception {
    String name = newName();
    String other = newName();
    server().create(name, login(name, 1));
    server().create(other, login(other, 1));
    try (Connection connection = connect(link(name, login(name, 1)))) {
      execute(connection, "CREATE TABLE ship (name text)");
      execute(connection, "GRANT SELECT ON ship TO " + login(other, 1).user());
      execute(connection, "GRANT CONNECT ON DATABASE %s TO %s".formatted(name, other));
      execute(connection, "ALTER DATABASE %s SET statement_timeout = 1".formatted(name));
      execute(
          connection, "ALTER DATABASE %s SET default_transaction_read_only = on".formatted(name));
      execute(connection, "ALTER DATABASE %s SET role = %1$s".formatted(name));
    }
    server().dropLogin(other, login(other, 1).user());
    server().drop(other);
    assertThatThrownBy(() -> server().facts(other)).isInstanceOf(AppFailure.class);
  }

  @Test
  void whatALoginMadeAsItselfIsTheOwnersOnceItIsRevoked() throws Exception {
    String name = newName();
    server().create(name, login(name, 1));
    server().addLogin(name, login(name, 2));
    try (Connection connection = connect(link(name, login(name, 1)))) {
      execute(connection, "SET ROLE NONE");
      execute(connection, "CREATE SCHEMA AUTHORIZATION CURRENT_USER");
      execute(connection, "CREATE TABLE ship (name text)");
    }
    server().dropLogin(name, login(name, 1).user());
    try (Connection connection = connect(link(name, login(name, 2)))) {
      assertThat(read(connection, "SELECT session_user")).containsExactly(name + "_2");
      assertThat(read(connection, "SELECT current_user")).containsExactly(name);
      execute(connection, "DROP TABLE %s_1.ship".formatted(name));
    }
  }

  @Test
  void hasRoomForManyConnectionsOfWhichOneDatabaseGetsAPart() throws Exception {
    try (Connection connection = connect(administrator())) {
      assertThat(read(connection, "SHOW max_connections")).containsExactly("500");
    }
  }
}
