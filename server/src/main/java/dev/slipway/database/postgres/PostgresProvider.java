package dev.slipway.database.postgres;

import dev.slipway.config.DatabaseServerConfig;
import dev.slipway.core.AppFailure;
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
import dev.slipway.database.Dumps;
import dev.slipway.database.TimedAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** PostgreSQL: on the operator's server where one is configured, else on our own cluster. */
public final class PostgresProvider implements DatabaseProvider {
  private static final Duration CHECK_TAKES = Duration.ofSeconds(10);
  private static final Duration EACH_ANSWER = Duration.ofSeconds(9);

  private final ApplicationsCluster cluster;
  private final Optional<DatabaseServer> configured;
  private final Dumps dumps;

  private PostgresProvider(
      ApplicationsCluster cluster, Optional<DatabaseServer> configured, Dumps dumps) {
    this.cluster = cluster;
    this.configured = configured;
    this.dumps = dumps;
  }

  /**
   * @param cluster for databases where nothing is configured; those that it has stay in use where
   *     something is
   * @throws IllegalStateException with a sentence for the operator, where the configured URL cannot
   *     be used
   */
  public static PostgresProvider of(
      ApplicationsCluster cluster, Optional<DatabaseServerConfig> configured, Dumps dumps) {
    return new PostgresProvider(cluster, configured.map(PostgresProvider::server), dumps);
  }

  private static DatabaseServer server(DatabaseServerConfig config) {
    DatabasePlace own = configuredPlace(config);
    DatabaseLink administrator =
        new DatabaseLink(own, new DatabaseLogin(config.user(), config.password()));
    return new PostgresServer(
        "postgres:%s:%d".formatted(own.host(), own.port()),
        () -> administrator,
        name -> new DatabasePlace(own.type(), own.host(), own.port(), name, own.parameters()));
  }

  private static DatabasePlace configuredPlace(DatabaseServerConfig config) {
    try {
      return PostgresUrl.parseJdbc(config.url());
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("databases.postgres.url " + e.getMessage(), e);
    }
  }

  @Override
  public DatabaseType type() {
    return DatabaseType.POSTGRES;
  }

  @Override
  public Optional<DatabaseServer> server() {
    return configured.or(() -> Optional.of(cluster.server()));
  }

  @Override
  public Optional<DatabaseServer> server(String id) {
    return Stream.concat(
            configured.stream(), cluster.exists() ? Stream.of(cluster.server()) : Stream.empty())
        .filter(server -> server.id().equals(id))
        .findFirst();
  }

  @Override
  public DatabaseAddress parse(String url) {
    return PostgresUrl.parse(url);
  }

  @Override
  public DatabaseFacts check(DatabaseLink link) {
    try {
      return TimedAnswer.within(
          CHECK_TAKES,
          () -> ask(link),
          () ->
              SessionStore.unreachable(
                  link, "it did not answer within %d seconds".formatted(CHECK_TAKES.toSeconds())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientException("interrupted while a database was checked", e);
    }
  }

  private static DatabaseFacts ask(DatabaseLink link) {
    try (SessionStore session = SessionStore.open(link, EACH_ANSWER, EACH_ANSWER, Map.of())) {
      return new AdminStore(session).facts(link.place().name(), 1);
    } catch (AppFailure e) {
      throw e;
    } catch (RuntimeException _) { // whoever listens there may answer whatever it likes
      throw SessionStore.unreachable(link, "what it answers is not what a PostgreSQL does");
    }
  }

  @Override
  public EnvVars variables(DatabaseLink link) {
    DatabasePlace place = link.place();
    Map<String, String> variables = new HashMap<>();
    variables.put("DATABASE_URL", PostgresUrl.write(link));
    variables.put("PGHOST", place.host());
    variables.put("PGPORT", Integer.toString(place.port()));
    variables.put("PGUSER", link.login().user());
    variables.put("PGPASSWORD", link.login().password().reveal());
    variables.put("PGDATABASE", place.name());
    place
        .parameters()
        .forEach((name, value) ->
            Parameter.ofWireName(name).ifPresent(it -> variables.put(it.variable(), value)));
    return new EnvVars(variables);
  }

  @Override
  public Dumps dumps() {
    return dumps;
  }
}
