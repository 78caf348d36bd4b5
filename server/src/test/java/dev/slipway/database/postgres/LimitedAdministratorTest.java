package dev.slipway.database.postgres;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabaseServer;
import dev.slipway.db.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract on our version of PostgreSQL, by an administrator who is no superuser: since 16 he
 * has no rights on what he makes unless he takes them.
 */
class LimitedAdministratorTest extends PostgresServerContract {
  private static final Path FOLDER = TestPostgres.folder();
  private static final ApplicationsCluster CLUSTER =
      new ApplicationsCluster(TestPostgres.settings(FOLDER));
  private static final Secret PASSWORD = new Secret("of-the-operator");

  @AfterAll
  static void end() {
    CLUSTER.endEverything();
    TestPostgres.delete(FOLDER);
  }

  @BeforeEach
  void makeAdministrator() throws Exception {
    try (Connection connection = connect(CLUSTER.administrator())) {
      if (read(connection, "SELECT 1 FROM pg_roles WHERE rolname = 'limited'").isEmpty()) {
        execute(
            connection,
            "CREATE ROLE limited LOGIN CREATEDB CREATEROLE PASSWORD '%s'"
                .formatted(PASSWORD.reveal()));
        execute(connection, "GRANT CONNECT ON DATABASE postgres TO limited");
      }
    }
  }

  @Override
  protected DatabaseServer server() {
    DatabaseLink administrator = administrator();
    return new PostgresServer(
        "postgres:limited", () -> administrator, name -> place(administrator.place(), name));
  }

  @Override
  DatabaseLink administrator() {
    return new DatabaseLink(
        CLUSTER.administrator().place(), new DatabaseLogin("limited", PASSWORD));
  }
}
