package dev.slipway.database.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.config.DatabaseServerConfig;
import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseAddress;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseServer;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.DumpRuns;
import dev.slipway.sandbox.Sandbox;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MysqlProviderTest {
  private static final Secret PASSWORD = new Secret("p'a/ss word%\\");

  @TempDir private Path folder;
  private MysqlProvider provider;

  @BeforeEach
  void make() {
    provider = new MysqlProvider(Optional.empty(), runs());
  }

  private DumpRuns runs() {
    return new DumpRuns(Sandbox.strongest(folder), folder.resolve("runs"));
  }

  @Test
  void makesNoneWhereNoServerIsConfigured() {
    assertThat(provider.server()).isEmpty();
    assertThat(provider.server("mysql:127.0.0.1:3306")).isEmpty();
  }

  @Test
  void findsADatabaseThatCanBeUsed() {
    DatabaseFacts facts = provider.check(database());
    assertThat(facts.version()).matches("MariaDB \\d+\\.\\d+\\.\\d+");
  }

  @Test
  void findsOneWithAnOddName() throws Exception {
    String odd = "it's \"odd\" `so`?useSsl=1&x=$ü";
    String user = "o'dd \"user\" @#?";
    asOperator("CREATE DATABASE IF NOT EXISTS `%s`".formatted(odd.replace("`", "``")));
    asOperator(
        "CREATE OR REPLACE USER '%s'@'%%' IDENTIFIED BY 'its-key'"
            .formatted(user.replace("'", "''")));
    asOperator(
        "GRANT ALL ON `%s`.* TO '%s'@'%%'"
            .formatted(odd.replace("`", "``"), user.replace("'", "''")));
    DatabaseLink link =
        new DatabaseLink(
            TestMariadb.server().place(odd), new DatabaseLogin(user, new Secret("its-key")));
    assertThat(provider.check(link).version()).startsWith("MariaDB");

    String url = provider.variables(link).values().getOrDefault("DATABASE_URL", "");
    DatabaseAddress read = provider.parse(url);
    assertThat(read.place()).isEqualTo(link.place());
    assertThat(read.user()).isEqualTo(user);
    assertThat(read.password().map(Secret::reveal)).contains("its-key");
  }

  @Test
  void saysWhatTheServerSaidOfAWrongPassword() {
    DatabaseLink link = database();
    assertUnreachable(
        new DatabaseLink(
            link.place(), new DatabaseLogin(link.login().user(), new Secret("guessed-9912"))),
        "Access denied for user '%s'".formatted(link.login().user()));
  }

  @Test
  void saysThatThereIsNoSuchDatabase() {
    DatabaseLink link = database();
    assertUnreachable(
        new DatabaseLink(TestMariadb.server().place("db_other"), link.login()),
        "to database 'db_other'");
  }

  @Test
  void saysThatTheServerHasNoTls() {
    DatabaseLink link = database();
    DatabasePlace place = link.place();
    assertUnreachable(
        new DatabaseLink(
            new DatabasePlace(
                place.type(),
                place.host(),
                place.port(),
                place.name(),
                Map.of("ssl-mode", "REQUIRED")),
            link.login()),
        "ssl not enabled in the server");
  }

  @Test
  void goesWithoutTlsWhereTheServerHasNoneAndTheAddressAsksForNone() {
    DatabaseLink link = database();
    DatabasePlace place = link.place();
    DatabasePlace preferred =
        new DatabasePlace(
            place.type(),
            place.host(),
            place.port(),
            place.name(),
            Map.of("ssl-mode", "PREFERRED"));
    assertThat(provider.check(new DatabaseLink(preferred, link.login())).version())
        .startsWith("MariaDB");
  }

  @Test
  void saysWhatAServerSaysThatWantsTls() throws Exception {
    DatabaseLink link = database();
    asOperator("SET GLOBAL require_secure_transport = ON");
    try {
      assertUnreachable(link, "Access denied"); // MariaDB says no more
    } finally {
      TestMariadb.server().administerLocally("SET GLOBAL require_secure_transport = OFF");
    }
  }

  @Test
  void saysWhatToDoWhereAMysqlWantsTls() throws Exception {
    String message = "#HY000Connections using insecure transport are prohibited";
    String packet = (char) (message.length() + 3) + "\0\0\0\u00ffW\f" + message;
    try (ServerSocket mysql = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      answer(mysql, packet);
      assertUnreachable(
          elsewhere("127.0.0.1", mysql.getLocalPort()), "end its address with ?ssl-mode=REQUIRED");
    }
  }

  @Test
  void saysThatThereIsNoSuchHost() {
    assertUnreachable(elsewhere("no-such-host.invalid", 3306), "no host of that name");
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

  @ParameterizedTest
  @ValueSource(strings = {"SSH-2.0-OpenSSH_9.2\r\n", "\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", ""})
  void saysThatSomethingElseAnswers(String greeting) throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      answer(other, greeting);
      assertUnreachable(elsewhere("127.0.0.1", other.getLocalPort()), "cannot log in");
    }
  }

  @Test
  void givesApplicationsAllThatTheyNeed() {
    Map<String, String> variables =
        provider
            .variables(
                new DatabaseLink(
                    new DatabasePlace(
                        DatabaseType.MYSQL,
                        "db.example.org",
                        3307,
                        "shop",
                        Map.of("ssl-mode", "REQUIRED")),
                    new DatabaseLogin("ada", PASSWORD)))
            .values();
    assertThat(variables)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "DATABASE_URL",
                "mysql://ada:p%27a%2Fss%20word%25%5C@db.example.org:3307/shop?ssl-mode=REQUIRED",
                "MYSQL_HOST",
                "db.example.org",
                "MYSQL_PORT",
                "3307",
                "MYSQL_USER",
                "ada",
                "MYSQL_PASSWORD",
                PASSWORD.reveal(),
                "MYSQL_DATABASE",
                "shop"));
  }

  @Test
  void readsAddresses() {
    assertThat(provider.parse("mysql://ada@db.example.org/shop").place())
        .isEqualTo(new DatabasePlace(DatabaseType.MYSQL, "db.example.org", 3306, "shop", Map.of()));
    assertThat(provider.parse("mariadb://ada:k%40y@[::1]:3307/shop").password().map(Secret::reveal))
        .contains("k@y");
    assertThat(provider.parse("mysql://ada@localhost/shop").place().host())
        .as("programs take localhost for a socket")
        .isEqualTo("127.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "postgres://ada:hush-hush@db.example.org/shop",
        "mysql://db.example.org/shop",
        "mysql://ada:hush-hush@db.example.org",
        "mysql://ada:hush-hush@db.example.org/",
        "mysql://ada:hush-hush@db.example.org:0/shop",
        "mysql://ada:hush-hush@db.example.org:99999/shop",
        "mysql://ada:hush-hush@one,two/shop",
        "mysql://ada:hush-hush@/shop",
        "mysql://ada:hush-hush@db.example.org/-shop",
        "mysql://ada:hush-hush@db.example.org/sh%0Aop",
        "mysql://ada:hush-hush@db.example.org/shop%zz",
        "mysql://ada:hush-hush@db.example.org/shop?allowLocalInfile=true",
        "mysql://ada:hush-hush@db.example.org/shop?ssl-mode=REQUIRED&socketFactory=x",
        "mysql://ada:hush-hush@db.example.org/shop?ssl-mode=MAYBE",
        "mysql://ada:hush-hush@db.example.org/shop?password=hush-hush",
        "mysql://ada:hush-hush@address=(host=x)/shop",
      })
  void refusesAddressesThatAreNone(String url) {
    assertThatThrownBy(() -> provider.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hush-hush");
  }

  @Test
  void makesDatabasesOnTheConfiguredServer() {
    MysqlProvider both = new MysqlProvider(Optional.of(config("?ssl-mode=REQUIRED")), runs());
    DatabaseServer configured = both.server().orElseThrow();
    assertThat(configured.place("db_a").host()).isEqualTo("db.example.org");
    assertThat(configured.place("db_a").parameters()).containsEntry("ssl-mode", "REQUIRED");
    assertThat(both.server(configured.id())).isPresent();
    assertThat(both.server("mysql:another:3306")).isEmpty();
  }

  @Test
  void refusesAConfiguredAddressThatIsNone() {
    for (String more : List.of("?password=hush-hush", "shop")) {
      assertThatThrownBy(() -> new MysqlProvider(Optional.of(config(more)), runs()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("databases.mysql.url ")
          .hasMessageNotContaining("hush-hush");
    }
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

  /** Greets everybody with that, and says no more. */
  private static void answer(ServerSocket server, String greeting) {
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              try (Socket socket = server.accept()) {
                socket.getOutputStream().write(greeting.getBytes(StandardCharsets.ISO_8859_1));
              }
            }
          } catch (IOException itIsClosed) {
            // by the test
          }
        });
  }

  private static DatabaseLink database() {
    MysqlServer server = new MysqlServer(TestMariadb.server().administrator());
    DatabaseLogin login = new DatabaseLogin("db_provider_1", PASSWORD);
    server.create("db_provider", login);
    return new DatabaseLink(server.place("db_provider"), login);
  }

  private static void asOperator(String statement) throws SQLException {
    try (Connection connection = TestMariadb.connect(TestMariadb.server().operator());
        Statement it = connection.createStatement()) {
      it.execute(statement);
    }
  }

  private static DatabaseLink elsewhere(String host, int port) {
    return new DatabaseLink(
        new DatabasePlace(DatabaseType.MYSQL, host, port, "shop", Map.of()),
        new DatabaseLogin("ada", PASSWORD));
  }

  private static DatabaseServerConfig config(String more) {
    return new DatabaseServerConfig("jdbc:mysql://db.example.org/" + more, "slipway", PASSWORD);
  }
}
