package dev.slipway.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AccountId;
import dev.slipway.core.MigrationId;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** However many migrations there are, a page reads the rows that it answers and no others. */
class MigrationListPlanTest {
  private static final int ROWS = 20_000;
  private Database database;

  @BeforeEach
  void fill() {
    database = TestDatabase.fresh();
    database.useTransaction(tx -> {
      // Plans do not ask for the accounts and projects that the rows name.
      tx.execute("SET LOCAL session_replication_role = replica");
      tx.execute(
          """
          INSERT INTO migration (id, account_id, project_id, log_id, status, created_at)
          SELECT 'mig_' || lpad(i::text, 8, '0'), 'acc_' || 1 + i * 4 / ?, 'prj_1', 'mig_' || i,
                 (ARRAY['COMPLETE', 'COMPLETE', 'FAILED'])[1 + i % 3], now()
            FROM generate_series(0, ?) i
          """,
          ROWS, ROWS - 1);
    });
    database.read(tx -> tx.execute("ANALYZE migration"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void everyPageIsTheScanOfOneIndex() {
    for (String account : new String[] {"acc_1", "acc_4"}) {
      assertScans("migration_account", account, Optional.empty());
      for (MigrationStatus status : MigrationStatus.values()) {
        assertScans("migration_account_status", account, Optional.of(status));
      }
    }
  }

  private void assertScans(String index, String account, Optional<MigrationStatus> status) {
    MigrationStore.Filter filter = new MigrationStore.Filter(new AccountId(account), status);
    for (String before : new String[] {"", "mig_00019000", "mig_00002000"}) {
      Optional<MigrationId> from =
          before.isEmpty() ? Optional.empty() : Optional.of(new MigrationId(before));
      String plan =
          database.read(tx ->
              String.join(
                  "\n",
                  MigrationStore.listing(tx, "EXPLAIN ", filter, from, 21)
                      .mapTo(String.class)
                      .list()));
      assertThat(plan)
          .as("%s before %s", filter, before)
          .contains("Index Scan Backward using " + index + " on")
          .contains("Index Cond: ")
          .doesNotContain("Sort", "Seq Scan", "Bitmap", "Filter");
    }
  }
}
