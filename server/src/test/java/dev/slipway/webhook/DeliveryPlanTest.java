package dev.slipway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import dev.slipway.vault.Vault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements on deliveries stay what they are however much is pending. */
class DeliveryPlanTest {
  private static final int ROWS = 20_000;
  private final TestClock clock = new TestClock();
  private final Database database = TestDatabase.fresh();

  /** Half of them have ended; all were made now. */
  @BeforeEach
  void fill() {
    database.useTransaction(tx -> {
      tx.execute("SET LOCAL session_replication_role = replica"); // No endpoint is asked for.
      tx.createUpdate(
              """
              INSERT INTO webhook_delivery
                  (id, webhook_id, event_id, event_type, resource, status, due_at, created_at,
                   completed_at)
              SELECT 'whd_' || lpad(CAST(i AS text), 8, '0'), 'whk_' || mod(i, 3), 'evt_' || i,
                     'deployment.live', 'dep_' || i,
                     CASE WHEN mod(i, 2) = 0 THEN 'DELIVERED' ELSE 'PENDING' END,
                     CASE WHEN mod(i, 2) = 1 THEN CAST(:now AS timestamptz) END, :now,
                     CASE WHEN mod(i, 2) = 0 THEN CAST(:now AS timestamptz) END
                FROM generate_series(1, :rows) i
              """)
          .bind("now", clock.instant())
          .bind("rows", ROWS)
          .execute();
      tx.execute(
          """
          INSERT INTO webhook_message (event_id, body, used_at)
          SELECT event_id, '{}', created_at FROM webhook_delivery
          """);
    });
    database.read(tx -> tx.execute("ANALYZE webhook_delivery, webhook_message"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void messagesAreForgottenByAJoinAndNotByALookAtEachThatIsPending() {
    String plan =
        database.read(tx ->
            String.join(
                "\n",
                tx.createQuery("EXPLAIN " + DeliveryStore.FORGET_MESSAGES)
                    .bind("before", clock.instant().plusSeconds(1))
                    .bind("most", 5_000)
                    .mapTo(String.class)
                    .list()));

    assertThat(plan).contains("Anti Join").doesNotContain("SubPlan");
  }

  @Test
  void aListOfWhatIsPendingReadsNothingElse() {
    String list = DeliveryStore.LIST.formatted(DeliveryStore.condition(DeliveryStatus.PENDING), "");
    String plan =
        database.read(tx ->
            String.join(
                "\n",
                tx.createQuery("EXPLAIN " + list)
                    .bind("webhook", "whk_1")
                    .bind("limit", 21)
                    .mapTo(String.class)
                    .list()));

    assertThat(plan)
        .contains("Index Scan Backward using webhook_delivery_pending on")
        .doesNotContain("Filter", "Sort");
  }

  @Test
  void whatIsOldIsForgottenInMoreThanOneBatchSaveWhatIsPending(@TempDir Path directory)
      throws IOException {
    Vault vault = Vault.open(directory.resolve("master.json"));
    clock.advance(Duration.ofDays(31));

    new WebhookService(database, vault, true, clock).forgetOld();

    assertThat(count("webhook_delivery WHERE status = 'PENDING'")).isEqualTo(ROWS / 2);
    assertThat(count("webhook_delivery")).isEqualTo(ROWS / 2);
    assertThat(count("webhook_message")).isEqualTo(ROWS / 2);
  }

  private int count(String rows) {
    return database.read(
        tx -> tx.createQuery("SELECT count(*) FROM " + rows).mapTo(Integer.class).one());
  }
}
