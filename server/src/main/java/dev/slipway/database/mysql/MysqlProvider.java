package dev.slipway.database.mysql;

import dev.slipway.config.DatabaseServerConfig;
import dev.slipway.core.EnvVars;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseAddress;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseServer;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.DumpRuns;
import dev.slipway.database.Dumps;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** MySQL 8 and MariaDB from 10.5 on: databases on the server that is configured, if one is. */
public final class MysqlProvider implements DatabaseProvider {
  private static final Duration CHECK_TAKES = Duration.ofSeconds(10);

  private final Optional<MysqlServer> configured;
  private final Dumps dumps;

  /**
   * @param configured where new databases are made; without it there are those that exist elsewhere
   * @throws IllegalStateException with a sentence for the operator, where the configured URL cannot
   *     be used
   */
  public MysqlProvider(Optional<DatabaseServerConfig> configured, DumpRuns runs) {
    this.configured = configured.map(MysqlProvider::server);
    this.dumps = new MysqlDumps(runs, new MysqlPrograms(runs), this.configured);
  }

  private static MysqlServer server(DatabaseServerConfig config) {
    try {
      return new MysqlServer(
          new DatabaseLink(
              MysqlUrl.parseJdbc(config.url()),
              new DatabaseLogin(config.user(), config.password())));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("databases.mysql.url " + e.getMessage(), e);
    }
  }

  @Override
  public DatabaseType type() {
    return DatabaseType.MYSQL;
  }

  @Override
  public Optional<DatabaseServer> server() {
    return configured.map(server -> server);
  }

  @Override
  public Optional<DatabaseServer> server(String id) {
    return server().filter(server -> server.id().equals(id));
  }

  @Override
  public DatabaseAddress parse(String url) {
    return MysqlUrl.parse(url);
  }

  @Override
  public DatabaseFacts check(DatabaseLink link) {
    try {
      return MysqlSurvey.facts(link, CHECK_TAKES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientException("interrupted while a database was checked", e);
    }
  }

  @Override
  public EnvVars variables(DatabaseLink link) {
    DatabasePlace place = link.place();
    return new EnvVars(
        Map.of(
            "DATABASE_URL", MysqlUrl.write(link),
            "MYSQL_HOST", place.host(),
            "MYSQL_PORT", Integer.toString(place.port()),
            "MYSQL_USER", link.login().user(),
            "MYSQL_PASSWORD", link.login().password().reveal(),
            "MYSQL_DATABASE", place.name()));
  }

  @Override
  public Dumps dumps() {
    return dumps;
  }
}
