package dev.slipway.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.Eventually;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabaseServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract on PostgreSQL 15 of the distribution, by an administrator who is no superuser. */
class ConfiguredServerTest extends PostgresServerContract {
  private static final Secret PASSWORD = new Secret("of-slipway");

  private static Optional<DebianServer> postgres = Optional.empty();

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(DebianServer.isInstalled(), "needs the package postgresql-15");
    DebianServer started = DebianServer.start();
    postgres = Optional.of(started);
    Eventually.holds("PostgreSQL 15 is up", () -> does(started.superuser(), "SELECT 1"));
    assertThat(
            does(
                started.superuser(),
                "CREATE ROLE slipway LOGIN CREATEDB CREATEROLE PASSWORD '%s'"
                    .formatted(PASSWORD.reveal())))
        .isTrue();
    // As README.md tells operators to.
    assertThat(does(started.superuser(), "REVOKE CONNECT ON DATABASE postgres FROM PUBLIC"))
        .isTrue();
    assertThat(does(started.superuser(), "GRANT CONNECT ON DATABASE postgres TO slipway")).isTrue();
  }

  @AfterAll
  static void end() {
    postgres.ifPresent(DebianServer::close);
  }

  @Override
  protected DatabaseServer server() {
    DatabaseLink administrator = administrator();
    return new PostgresServer(
        "postgres:debian", () -> administrator, name -> place(administrator.place(), name));
  }

  @Override
  DatabaseLink administrator() {
    return postgres.orElseThrow().link("slipway", PASSWORD);
  }

  @Test
  void tellsNoPasswordToAServerThatLogsAllStatements() throws Exception {
    String name = newName();
    server().create(name, new DatabaseLogin(name + "_1", new Secret("unheard-of-7731")));
    assertThat(postgres.orElseThrow().log())
        .contains(name + "_1")
        .doesNotContain("unheard-of-7731");
  }

  private static boolean does(DatabaseLink link, String sql) {
    try (Connection connection = new ConfiguredServerTest().connect(link)) {
      execute(connection, sql);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }
}
