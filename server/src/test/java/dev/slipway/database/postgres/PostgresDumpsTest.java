package dev.slipway.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.AppFailure;
import dev.slipway.core.TestClock;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.Dumps;
import dev.slipway.database.DumpsContract;
import dev.slipway.database.TestPostgres;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Toolbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** From Debian's PostgreSQL 15, where it is installed, to the newest. */
class PostgresDumpsTest extends DumpsContract {
  @Override
  protected Dumps dumps() {
    return new PostgresDumps(runs, new PostgresPrograms(runs, toolbox()));
  }

  @Override
  protected DatabaseLink source() throws SQLException {
    return TestPostgres.debian15().orElseGet(TestPostgres::newest).newDatabase();
  }

  @Override
  protected DatabaseLink target() throws SQLException {
    return TestPostgres.newest().newDatabase();
  }

  @Override
  protected Connection connect(DatabaseLink link) throws SQLException {
    return TestPostgres.connect(link);
  }

  @Override
  protected List<String> schema() {
    return List.of(
        "CREATE TABLE ship (id serial PRIMARY KEY, name text, cargo bytea)",
        "CREATE TABLE voyage (ship integer REFERENCES ship)",
        "CREATE VIEW fleet AS SELECT name FROM ship",
        "CREATE FUNCTION oars(integer) RETURNS integer LANGUAGE sql AS 'SELECT 2 * $1'",
        """
        CREATE FUNCTION sail() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO voyage VALUES (NEW.id); RETURN NEW; END'
        """,
        "CREATE TRIGGER sail AFTER INSERT ON ship FOR EACH ROW EXECUTE FUNCTION sail()");
  }

  @Override
  protected String lock() {
    return "LOCK TABLE ship IN ACCESS EXCLUSIVE MODE";
  }

  @Test
  void largeObjectsAndExtensionsAreCopied() throws Exception {
    DatabaseLink source = source();
    try (Connection connection = connect(source)) {
      execute(connection, "CREATE EXTENSION citext");
      execute(connection, "CREATE TABLE port (name citext)");
      execute(connection, "COMMENT ON EXTENSION citext IS 'ours'");
      execute(connection, "COMMENT ON SCHEMA public IS 'ours too'");
      execute(connection, "INSERT INTO port VALUES ('Palos')");
      execute(connection, "SELECT lo_from_bytea(4711, 'in the hold')");
    }
    DatabaseLink target = target();

    dumps().copy(source, target, said::add);

    try (Connection connection = connect(target)) {
      assertThat(read(connection, "SELECT name FROM port WHERE name = 'PALOS'")).hasSize(1);
      assertThat(read(connection, "SELECT convert_from(lo_get(4711), 'UTF8')"))
          .containsExactly("in the hold");
    }
  }

  @Test
  void anExtensionThatTheTargetCannotHaveIsLeftOutAndSaid() throws Exception {
    DatabaseLink source = source();
    TestPostgres.debian15()
        .orElseGet(TestPostgres::newest)
        .administer(source.place().name(), "CREATE EXTENSION pageinspect");
    DatabaseLink target = target();

    dumps().copy(source, target, said::add);

    assertThat(said).anyMatch(line -> line.startsWith("The extension pageinspect is left out"));
  }

  @Test
  void theProgramsOfANewerVersionFillAnOlderServer() throws Exception {
    assumeTrue(TestPostgres.debian15().isPresent(), "needs Debian's PostgreSQL 15");
    PostgresPrograms fetched =
        new PostgresPrograms(runs, toolbox(), List.of(directory.resolve("none")));
    Dumps dumps = new PostgresDumps(runs, fetched);
    Path file = directory.resolve("one.dump");
    dumps.backup(filled(), file, said::add);
    DatabaseLink target = source();

    dumps.restore(file, target, said::add);

    try (Connection connection = connect(target)) {
      assertThat(read(connection, "SELECT count(*) FROM ship")).containsExactly("2");
    }
    assertThatThrownBy(() -> dumps.restore(file, target, said::add))
        .hasMessageContaining("already exists");
  }

  @Test
  void aProgramThatIsTooOldIsNotTaken() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    for (String name : List.of("pg_dump", "pg_restore")) {
      Path program =
          Files.writeString(
              bin.resolve(name), "#!/bin/sh\necho '%s (PostgreSQL) 12.22'\n".formatted(name));
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    PostgresPrograms programs = new PostgresPrograms(runs, toolbox(), List.of(bin));

    try (PostgresPrograms.Found old = programs.atLeast(11)) {
      assertThat(old.major()).isEqualTo(12);
    }
    try (PostgresPrograms.Found newer = programs.atLeast(15)) {
      assertThat(newer.major()).isEqualTo(18);
    }
    assertThatThrownBy(() -> programs.atLeast(19))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("no pg_dump and pg_restore of PostgreSQL 19")
        .hasMessageContaining("postgresql-client-19");
  }

  private Toolbox toolbox() {
    return new Toolbox(
        directory.resolve("tools"),
        Sandbox.strongest(directory),
        OperatorSettings.of(System.getenv(), Path.of(System.getProperty("user.home"))),
        directory,
        Set::of,
        new TestClock());
  }
}
