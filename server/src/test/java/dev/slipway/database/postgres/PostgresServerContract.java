package dev.slipway.database.postgres;

import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseServerContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contract against a PostgreSQL, whoever runs it. */
abstract class PostgresServerContract extends DatabaseServerContract {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** How the server's administrator logs in. */
  abstract DatabaseLink administrator();

  @Override
  protected final Connection connect(DatabaseLink link) throws SQLException {
    return DriverManager.getConnection(
        DriverProperties.url(link), DriverProperties.of(link, LIMIT, LIMIT, Map.of()));
  }

  @Override
  protected Optional<DatabasePlace> own() {
    return Optional.of(server().place("postgres"));
  }

  @Override
  protected final List<String> stepsOfCreation(String name, DatabaseLogin login) {
    return List.of(
        "CREATE ROLE %s NOLOGIN".formatted(name),
        "GRANT %s TO CURRENT_USER".formatted(name),
        "CREATE ROLE %s LOGIN PASSWORD 'another'".formatted(login.user()),
        "GRANT %s TO %s".formatted(name, login.user()),
        "CREATE DATABASE %s OWNER %1$s TEMPLATE template0 ALLOW_CONNECTIONS false".formatted(name));
  }

  @Override
  protected final void administer(String statement) throws SQLException {
    try (Connection connection = connect(administrator())) {
      execute(connection, statement);
    }
  }

  static DatabasePlace place(DatabasePlace server, String name) {
    return new DatabasePlace(server.type(), server.host(), server.port(), name, Map.of());
  }
}
