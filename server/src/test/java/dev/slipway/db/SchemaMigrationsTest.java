package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SchemaMigrationsTest {
  private static final String LOCATION = "db/testmigration";

  @Test
  void anEmptyDatabaseGetsTheWholeSchema() {
    try (Database database = TestDatabase.empty()) {
      new SchemaMigrations(LOCATION).apply(database.dataSource());

      assertThat(ships(database)).isZero();
    }
  }

  @Test
  void aCurrentSchemaIsLeftAlone() {
    try (Database database = TestDatabase.fresh(LOCATION)) {
      // Flyway would stop at the changed checksum: nobody asked it.
      database.useTransaction(
          handle -> handle.execute("UPDATE flyway_schema_history SET checksum = 1"));
      new SchemaMigrations(LOCATION).apply(database.dataSource());

      assertThat(ships(database)).isZero();
    }
  }

  @Test
  void aSchemaThatLacksItsLastScriptGetsIt() {
    try (Database database = TestDatabase.fresh(LOCATION)) {
      database.useTransaction(handle -> {
        handle.execute("ALTER TABLE ship DROP COLUMN name");
        handle.execute("DELETE FROM flyway_schema_history WHERE version = '002'");
      });
      new SchemaMigrations(LOCATION).apply(database.dataSource());

      assertThat(ships(database)).isZero();
    }
  }

  @Test
  void aNewerSchemaIsLeftAlone() {
    try (Database database = TestDatabase.fresh(LOCATION)) {
      database.useTransaction(handle ->
          handle.execute(
              """
              INSERT INTO flyway_schema_history
              SELECT 99, '099', 'future', 'SQL', 'V099__future.sql', 0, 'test', now(), 1, true
              """));
      new SchemaMigrations(LOCATION).apply(database.dataSource());

      assertThat(ships(database)).isZero();
    }
  }

  @Test
  void aPlaceWithoutScriptsIsAFaultOfThePackaging() {
    try (Database database = TestDatabase.empty()) {
      SchemaMigrations nowhere = new SchemaMigrations("db/nowhere");
      assertThatThrownBy(() -> nowhere.apply(database.dataSource()))
          .hasMessageContaining("db/nowhere");
    }
  }

  @Test
  void aCommandRefusesASchemaThatLacksAScriptAndLeavesItAsItIs() {
    try (Database database = TestDatabase.fresh(LOCATION)) {
      SchemaMigrations migrations = new SchemaMigrations(LOCATION);
      migrations.require(database.dataSource());
      database.useTransaction(
          handle -> handle.execute("DELETE FROM flyway_schema_history WHERE version = '002'"));

      assertThatThrownBy(() -> migrations.require(database.dataSource()))
          .hasMessageContaining("older version");
      assertThat(ships(database)).isZero();
    }
  }

  @Test
  void aCommandRefusesAnEmptyStore() {
    try (Database database = TestDatabase.empty()) {
      assertThatThrownBy(() -> new SchemaMigrations(LOCATION).require(database.dataSource()))
          .hasMessageContaining("empty");
      boolean untouched =
          database.read(tx ->
              tx.createQuery("SELECT to_regclass('ship') IS NULL").mapTo(boolean.class).one());
      assertThat(untouched).isTrue();
    }
  }

  private static int ships(Database database) {
    return database.read(handle ->
        handle.select("SELECT count(*) FROM ship WHERE name = 'Argo'").mapTo(int.class).one());
  }
}
