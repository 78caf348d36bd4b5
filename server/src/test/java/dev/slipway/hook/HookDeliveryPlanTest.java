package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** However much a project was told, a push asks its questions of an index. */
class HookDeliveryPlanTest {
  private static final int ROWS = 20_000;
  private static Database database;

  @BeforeAll
  static void fill() {
    database = TestDatabase.fresh();
    database.useTransaction(tx -> {
      // Plans do not ask for the project that the rows name.
      tx.execute("SET LOCAL session_replication_role = replica");
      tx.execute(
          """
          INSERT INTO hook_delivery (id, project_id, body_digest, event, outcome, reason, branch,
                                     before_sha, after_sha, received_at)
          SELECT 'dlv_' || lpad(i::text, 8, '0'), 'prj_1', sha256(i::text::bytea), 'push',
                 'DEPLOYED', 'reason', 'branch-' || i % 50, 'sha-' || i, 'sha-' || i + 50, now()
            FROM generate_series(1, ?) i
          """,
          ROWS);
    });
    database.read(tx -> tx.execute("ANALYZE hook_delivery"));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void whereTheBranchIsIsOneRowOfAnIndex() {
    assertScans("hook_delivery_head", HookDeliveryStore.HEAD, "prj_1", "branch-7");
  }

  @Test
  void whatTheBranchHasLeftIsOneRowOfAnIndex() {
    assertScans(
        "hook_delivery_left",
        HookDeliveryStore.WAS_LEFT,
        "prj_1",
        "branch-7",
        "sha-7",
        Instant.EPOCH);
  }

  private static void assertScans(String index, String question, Object... values) {
    String plan =
        database.read(tx -> {
          var query = tx.createQuery("EXPLAIN " + question);
          for (int i = 0; i < values.length; i++) {
            query.bind(i, values[i]);
          }
          return String.join("\n", query.mapTo(String.class).list());
        });
    assertThat(plan)
        .contains("using " + index + " on")
        .contains("Index Cond: ")
        .doesNotContain("Sort", "Seq Scan", "Bitmap", "Filter");
  }
}
