package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an embedded PostgreSQL is like once it runs: one for all of these. */
class RunningPostgresTest {
  private static final Path FOLDER = TestFolders.make();
  private static final PostgresSettings SETTINGS = TestFolders.settings(FOLDER);

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = EmbeddedPostgres.start(SETTINGS);
  }

  @AfterAll
  static void stop() {
    postgres.close();
    TestFolders.delete(FOLDER);
  }

  @Test
  void runsAsAnAccountOfItsOwnWhenWeAreRoot() throws Exception {
    assumeTrue(PostgresAccount.isRoot(), "needs root");
    assertThat(Files.getOwner(Path.of("/proc/" + postmaster().pid()))).hasToString("slipway-db");
    assertThat(query(postgres.address(), "SELECT 1")).isEqualTo("1");
  }

  @Test
  void showsNothingOfOurEnvironment() throws Exception {
    List<String> environment =
        List.of(Files.readString(Path.of("/proc/" + postmaster().pid() + "/environ")).split("\0"));
    assertThat(environment).contains("LC_ALL=C").noneMatch(it -> it.startsWith("HOME="));
  }

  @Test
  void hasASessionOfItsOwnSoThatInterruptingOurTerminalDoesNotEndIt() throws Exception {
    String stat = Files.readString(Path.of("/proc/" + postmaster().pid() + "/stat"));
    String session = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
    assertThat(session).isEqualTo(Long.toString(postmaster().pid()));
  }

  @Test
  void keepsThePasswordFromOthers() throws Exception {
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(SETTINGS.passwordFile())))
        .isEqualTo("rw-------");
    StoreAddress wrong =
        new StoreAddress(postgres.address().jdbcUrl(), "slipway", new Secret("guessed"));
    assertThatThrownBy(() -> query(wrong, "SELECT 1")).hasMessageContaining("password");
  }

  @Test
  void listensNowhereButOnLoopback() throws Exception {
    assertThat(query(postgres.address(), "SHOW listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(query(postgres.address(), "SHOW unix_socket_directories")).isEmpty();
  }

  @Test
  void refusesADirectoryThatAnotherServerUses() {
    assertThatThrownBy(() -> EmbeddedPostgres.start(SETTINGS))
        .hasMessageContaining("another server uses")
        .hasMessageContaining(FOLDER.toString());
  }

  private static ProcessHandle postmaster() {
    return new PostgresProcesses(SETTINGS.home().resolve("cluster"))
        .postmaster()
        .orElseThrow()
        .process();
  }

  private static String query(StoreAddress address, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(address.jdbcUrl(), address.connectionProperties("test"));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }
}
