package dev.slipway.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.config.DatabaseServerConfig;
import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseServer;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.Dumps;
import dev.slipway.db.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PostgresProviderTest {
  private static final Path FOLDER = TestPostgres.folder();
  private static final ApplicationsCluster CLUSTER =
      new ApplicationsCluster(TestPostgres.settings(FOLDER));
  private static final Secret PASSWORD = new Secret("p'a/ss word%");
  private static final DatabaseLogin LOGIN = new DatabaseLogin("db_shop_1", PASSWORD);

  private final PostgresProvider provider =
      PostgresProvider.of(CLUSTER, Optional.empty(), new NoDumps());

  @BeforeAll
  static void makeDatabase() {
    CLUSTER.server().create("db_shop", LOGIN);
  }

  @AfterAll
  static void end() {
    CLUSTER.endEverything();
    TestPostgres.delete(FOLDER);
  }

  @Test
  void findsADatabaseThatCanBeUsed() {
    DatabaseFacts facts = provider.check(shop(LOGIN));
    assertThat(facts.version()).startsWith("PostgreSQL 18");
    assertThat(facts.connections()).isZero();
  }

  @Test
  void saysWhatTheServerSaidOfAWrongPassword() {
    assertUnreachable(
        shop(new DatabaseLogin(LOGIN.user(), new Secret("guessed-9912"))),
        "password authentication failed for user \"db_shop_1\"");
  }

  @Test
  void saysThatThereIsNoSuchDatabase() {
    assertUnreachable(
        new DatabaseLink(CLUSTER.server().place("db_other"), LOGIN),
        "database \"db_other\" does not exist");
  }

  @Test
  void saysThatTheServerHasNoTls() {
    DatabasePlace place = CLUSTER.server().place("db_shop");
    assertUnreachable(
        new DatabaseLink(
            new DatabasePlace(
                place.type(),
                place.host(),
                place.port(),
                place.name(),
                Map.of("sslmode", "require")),
            LOGIN),
        "SSL");
  }

  @Test
  void saysThatThereIsNoSuchHost() {
    assertUnreachable(elsewhere("no-such-host.invalid", 5432), "no host of that name");
  }

  @Test
  void saysThatNobodyListens() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertUnreachable(elsewhere("127.0.0.1", port), "refused");
  }

  @Test
  void givesUpAServerThatAcceptsAndSaysNothing() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long began = System.nanoTime();
      assertUnreachable(elsewhere("127.0.0.1", silent.getLocalPort()), ": ");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
    }
  }

  @Test
  void givesApplicationsAllThatTheyNeed() {
    Map<String, String> variables = provider.variables(shop(LOGIN)).values();
    int port = CLUSTER.server().place("db_shop").port();
    assertThat(variables)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "DATABASE_URL",
                "postgresql://db_shop_1:p%%27a%%2Fss%%20word%%25@127.0.0.1:%d/db_shop"
                    .formatted(port),
                "PGHOST",
                "127.0.0.1",
                "PGPORT",
                Integer.toString(port),
                "PGUSER",
                "db_shop_1",
                "PGPASSWORD",
                PASSWORD.reveal(),
                "PGDATABASE",
                "db_shop"));
  }

  @Test
  void saysOfTlsWhereTheAddressDoes() {
    DatabaseLink link =
        new DatabaseLink(
            new DatabasePlace(
                DatabaseType.POSTGRES,
                "db.example.org",
                5432,
                "shop",
                Map.of("sslmode", "require")),
            LOGIN);
    assertThat(provider.variables(link).values())
        .containsEntry("PGSSLMODE", "require")
        .hasEntrySatisfying(
            "DATABASE_URL", url -> assertThat(url).endsWith("/shop?sslmode=require"));
  }

  @Test
  void makesNewDatabasesOnTheConfiguredServerAndKnowsThoseOfTheCluster() {
    PostgresProvider both =
        PostgresProvider.of(CLUSTER, Optional.of(config("?sslmode=require")), new NoDumps());
    DatabaseServer configured = both.server().orElseThrow();
    assertThat(configured.place("db_a").host()).isEqualTo("db.example.org");
    assertThat(configured.place("db_a").parameters()).containsEntry("sslmode", "require");
    assertThat(both.server(configured.id())).isPresent();
    assertThat(both.server(CLUSTER.server().id())).isPresent();
    assertThat(both.server("postgres:another:5432")).isEmpty();
  }

  @Test
  void refusesAConfiguredAddressWithParametersOfTheDriver() {
    assertThatThrownBy(() ->
            PostgresProvider.of(CLUSTER, Optional.of(config("?password=hush-hush")), new NoDumps()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("databases.postgres.url has a parameter that is not allowed")
        .hasMessageNotContaining("hush-hush");
  }

  private void assertUnreachable(DatabaseLink link, String said) {
    assertThatThrownBy(() -> provider.check(link))
        .isInstanceOfSatisfying(
            AppFailure.class,
            failure ->
                assertThat(failure.failure().code()).isEqualTo(FailureCode.DATABASE_UNREACHABLE))
        .hasMessageContaining(said)
        .hasMessageNotContaining(link.login().password().reveal());
  }

  private static DatabaseLink shop(DatabaseLogin login) {
    return new DatabaseLink(CLUSTER.server().place("db_shop"), login);
  }

  private static DatabaseLink elsewhere(String host, int port) {
    return new DatabaseLink(
        new DatabasePlace(DatabaseType.POSTGRES, host, port, "shop", Map.of()), LOGIN);
  }

  private static DatabaseServerConfig config(String parameters) {
    return new DatabaseServerConfig(
        "jdbc:postgresql://db.example.org/postgres" + parameters, "slipway", PASSWORD);
  }

  /** Of no use here. */
  private static final class NoDumps implements Dumps {
    @Override
    public long backup(DatabaseLink from, Path file, Consumer<String> progress) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void restore(Path file, DatabaseLink into, Consumer<String> progress) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void copy(DatabaseLink from, DatabaseLink into, Consumer<String> progress) {
      throw new UnsupportedOperationException();
    }
  }
}
