package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestDatabaseTest {
  private static final String LOCATION = "db/testmigration";

  @Test
  void eachDatabaseIsItsOwn() {
    try (Database one = TestDatabase.fresh(LOCATION);
        Database other = TestDatabase.fresh(LOCATION)) {
      one.useTransaction(handle -> handle.execute("INSERT INTO ship VALUES ('argo', now())"));

      assertThat(ships(one)).isEqualTo(1);
      assertThat(ships(other)).isZero();
    }
  }

  private static int ships(Database database) {
    return database.read(
        handle -> handle.select("SELECT count(*) FROM ship").mapTo(int.class).one());
  }
}
