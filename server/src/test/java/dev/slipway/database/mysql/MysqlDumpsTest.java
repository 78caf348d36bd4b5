package dev.slipway.database.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.Dumps;
import dev.slipway.database.DumpsContract;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Within a MariaDB of the distribution, with its programs. */
class MysqlDumpsTest extends DumpsContract {
  private static final List<String> DEFINERS =
      List.of(
          "SELECT definer FROM information_schema.views WHERE table_schema = DATABASE()",
          "SELECT definer FROM information_schema.triggers WHERE trigger_schema = DATABASE()",
          "SELECT definer FROM information_schema.routines WHERE routine_schema = DATABASE()",
          "SELECT definer FROM information_schema.events WHERE event_schema = DATABASE()");

  @Override
  protected Dumps dumps() {
    return new MysqlDumps(runs, new MysqlPrograms(runs), Optional.of(server()));
  }

  @Override
  protected DatabaseLink source() {
    return newDatabase();
  }

  @Override
  protected DatabaseLink target() {
    return newDatabase();
  }

  private static DatabaseLink newDatabase() {
    String name = "db_" + UUID.randomUUID().toString().substring(0, 8);
    MysqlServer server = server();
    DatabaseLogin login = new DatabaseLogin(name + "_1", new Secret("a\"b#c'd \\e;" + name));
    server.create(name, login);
    return new DatabaseLink(server.place(name), login);
  }

  private static MysqlServer server() {
    return new MysqlServer(TestMariadb.server().administrator());
  }

  @Override
  protected Connection connect(DatabaseLink link) throws SQLException {
    return TestMariadb.connect(link);
  }

  @Override
  protected List<String> schema() {
    return List.of(
        "CREATE TABLE ship (id integer AUTO_INCREMENT PRIMARY KEY, name text, cargo blob)",
        "CREATE TABLE voyage (ship integer, FOREIGN KEY (ship) REFERENCES ship (id))",
        "CREATE VIEW fleet AS SELECT name FROM ship",
        """
        CREATE FUNCTION oars(n integer) RETURNS integer DETERMINISTIC
        RETURN 2 * n
        """,
        """
        CREATE TRIGGER sail AFTER INSERT ON ship FOR EACH ROW
        INSERT INTO voyage VALUES (NEW.id)
        """);
  }

  @Override
  protected String lock() {
    return "LOCK TABLES ship WRITE";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\! touch TRACE",
        "system touch TRACE",
        "\\T TRACE",
        "tee TRACE",
        "pager touch TRACE",
        "\\. /etc/passwd",
        "source /etc/passwd",
        "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE ship",
        "SELECT 1 INTO OUTFILE 'TRACE'",
        "CREATE DATABASE db_of_somebody_else",
      })
  void aHostileDumpReachesNothing(String line) throws Exception {
    Path trace = directory.resolve("trace");
    Path file = packed(line.replace("TRACE", trace.toString()) + ";\n");

    assertThatThrownBy(() -> dumps().restore(file, target(), said::add))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("could not fill the database");
    assertThat(trace).doesNotExist();
  }

  @Test
  void whatADumpPrintsIsNotWaitedFor() throws Exception {
    DatabaseLink target = target();
    dumps()
        .restore(
            packed("SELECT REPEAT('x', 1000000);\nCREATE TABLE ship (id integer);\n"),
            target,
            said::add);
    try (Connection connection = connect(target)) {
      assertThat(read(connection, "SELECT id FROM ship")).isEmpty();
    }
  }

  @Test
  void aValueNearlyAsLargeAsTheServerTakesIsCopied() throws Exception {
    DatabaseLink source = source();
    try (Connection connection = connect(source)) {
      execute(connection, "CREATE TABLE hold (cargo longblob, bits bit(12))");
      execute(connection, "INSERT INTO hold VALUES (REPEAT(x'FF8001', 4000000), b'100000000001')");
    }
    DatabaseLink target = target();

    dumps().copy(source, target, said::add);

    String sum = "SELECT CONCAT(MD5(cargo), LENGTH(cargo), HEX(bits)) FROM hold";
    try (Connection from = connect(source);
        Connection to = connect(target)) {
      assertThat(read(to, sum)).hasSize(1).isEqualTo(read(from, sum));
    }
  }

  @Test
  void aFileThatIsCutOffIsRefused() throws Exception {
    Path whole = packed("CREATE TABLE ship (id integer);\n");
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = Files.write(directory.resolve("cut.dump"), Arrays.copyOf(bytes, bytes.length - 6));

    assertThatThrownBy(() -> dumps().restore(cut, target(), said::add))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("Reading the dump cut.dump failed");
  }

  @Test
  void whatAnEarlierLoginDefinedIsInABackupAndBelongsToTheNewOne() throws Exception {
    DatabaseLink first = filled();
    String name = first.place().name();
    try (Connection connection = connect(first)) {
      execute(connection, "CREATE EVENT noon ON SCHEDULE EVERY 1 DAY DO SET @noon = 1");
      execute(connection, "CREATE PROCEDURE dock() SELECT 'Palos'");
      execute(connection, "CREATE VIEW rowed AS SELECT oars(id) AS oars FROM ship");
      execute(connection, "SET sql_mode = 'ANSI_QUOTES'");
      execute(connection, "CREATE PROCEDURE \"moor\"() SELECT 'Cadiz'");
      execute(
          connection,
          "CREATE TRIGGER \"land\" AFTER DELETE ON ship FOR EACH ROW DELETE FROM voyage");
      // From here on the program says with each of them what it was.
      execute(connection, "ALTER DATABASE CHARACTER SET latin1");
    }
    DatabaseLogin second = new DatabaseLogin(name + "_2", new Secret("second-7f31"));
    server().addLogin(name, second);
    server().dropLogin(name, first.login().user());
    Path file = directory.resolve("one.dump");
    dumps().backup(new DatabaseLink(first.place(), second), file, said::add);
    server().drop(name);
    DatabaseLink target = target();

    dumps().restore(file, target, said::add);

    try (Connection connection = connect(target)) {
      assertThat(read(connection, "CALL dock()")).containsExactly("Palos");
      assertThat(read(connection, "CALL moor()")).containsExactly("Cadiz");
      assertThat(read(connection, "SELECT oars FROM rowed ORDER BY oars"))
          .containsExactly("2", "4");
      execute(connection, "INSERT INTO ship (name) VALUES ('Argo')");
      assertThat(read(connection, "SELECT ship FROM voyage")).hasSize(3);
      for (String definers : DEFINERS) {
        assertThat(read(connection, definers))
            .isNotEmpty()
            .allMatch(it -> it.equals(target.login().user() + "@%"));
      }
    }
  }

  @Test
  void routinesThatTheSourcesLoginMayNotReadAreNotLeftOutInSilence() throws Exception {
    DatabaseLink first = filled();
    DatabaseLogin second =
        new DatabaseLogin(first.place().name() + "_2", new Secret("second-7f31"));
    server().addLogin(first.place().name(), second);

    assertThatThrownBy(
            () -> dumps().copy(new DatabaseLink(first.place(), second), target(), said::add))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("insufficient privileges to SHOW CREATE FUNCTION");
  }

  @Test
  void aPasswordThatTheProgramsWouldReadInPiecesIsRefused() {
    DatabaseLink link = source();
    DatabaseLink longer =
        new DatabaseLink(
            link.place(), new DatabaseLogin(link.login().user(), new Secret("\"".repeat(2100))));
    MysqlPrograms.Program any =
        new MysqlPrograms.Program("mariadb-dump", Path.of("/usr/bin/mariadb-dump"), true, "10.11");
    assertThatThrownBy(() -> MysqlCommands.dump(any, longer))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("at most 2000 characters");
  }

  @Test
  void programsThatAreMissingOrTooOldAreNamed() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    MysqlPrograms programs = new MysqlPrograms(runs, List.of(bin));
    assertThatThrownBy(() -> programs.dump(true))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("neither mariadb-dump nor mysqldump")
        .hasMessageContaining("mariadb-client");

    program(bin, "mysqldump", "mysqldump  Ver 10.13 Distrib 5.7.44, for Linux (x86_64)");
    assertThatThrownBy(() -> programs.dump(false))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("mysqldump is of 5.7.");

    program(bin, "mysqldump", "mysqldump  Ver 8.0.36 for Linux on x86_64 (MySQL Community Server)");
    program(bin, "mariadb-dump", "mariadb-dump from 11.8.3-MariaDB, client 10.19 for linux");
    assertThat(programs.dump(false).name()).isEqualTo("mysqldump");
    assertThat(programs.dump(true).name()).isEqualTo("mariadb-dump");
  }

  private static void program(Path bin, String name, String version) throws IOException {
    Path program =
        Files.writeString(bin.resolve(name), "#!/bin/sh\necho '%s'\n".formatted(version));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Path packed(String text) throws IOException {
    Path file = directory.resolve("one.dump");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }
}
