package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** However many deployments there are, a page reads the rows that it answers and no others. */
class DeploymentListPlanTest {
  private static final int ROWS = 20_000;
  private static Database database;

  /** The first account has all the oldest rows, where a scan from the newest would come last. */
  @BeforeAll
  static void fill() {
    database = TestDatabase.fresh();
    database.useTransaction(tx -> {
      // Plans do not ask for the accounts and projects that the rows name.
      tx.execute("SET LOCAL session_replication_role = replica");
      tx.execute(
          """
          INSERT INTO deployment (id, account_id, project_id, log_id, trigger, status, branch, region,
                                  instance_type, preview_label, env, source_deployment_id, created_at)
          SELECT 'dep_' || lpad(i::text, 8, '0'), 'acc_' || 1 + i * 4 / ?,
                 'prj_' || i * 4 / ? * 5 + i % 5, 'dep_' || i, 'API',
                 (ARRAY['LIVE', 'LIVE', 'LIVE', 'FAILED', 'ROLLED_BACK'])[1 + i / 5 % 5], 'main',
                 'us-east-1', 'small', 'label-' || i, '', 'dep_' || i, now()
            FROM generate_series(0, ?) i
          """,
          ROWS, ROWS, ROWS - 1);
    });
    database.read(tx -> tx.execute("ANALYZE deployment"));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void everyPageIsTheScanOfOneIndex() {
    for (String account : List.of("acc_1", "acc_4")) {
      String project = account.equals("acc_1") ? "prj_2" : "prj_17";
      assertScans("deployment_account", filter(account, null, null));
      assertScans("deployment_account_status", filter(account, null, DeploymentStatus.LIVE));
      assertScans("deployment_account_status", filter(account, null, DeploymentStatus.QUEUED));
      assertScans("deployment_project", filter(account, project, null));
      assertScans("deployment_project_status", filter(account, project, DeploymentStatus.LIVE));
      assertScans("deployment_project_status", filter(account, project, DeploymentStatus.QUEUED));
    }
  }

  private static void assertScans(String index, DeploymentStore.Filter filter) {
    for (String before : new String[] {"", "dep_00019000", "dep_00002000"}) {
      Optional<DeploymentId> from =
          before.isEmpty() ? Optional.empty() : Optional.of(new DeploymentId(before));
      String plan =
          database.read(tx ->
              String.join(
                  "\n",
                  DeploymentStore.listing(tx, "EXPLAIN ", filter, from, 21)
                      .mapTo(String.class)
                      .list()));
      assertThat(plan)
          .as("%s before %s", filter, before)
          .contains("Index Scan Backward using " + index + " on")
          .contains("Index Cond: ")
          .doesNotContain("Sort", "Seq Scan", "Bitmap", "Filter");
    }
  }

  private static DeploymentStore.Filter filter(
      String account, @Nullable String project, @Nullable DeploymentStatus status) {
    return new DeploymentStore.Filter(
        new AccountId(account),
        Optional.ofNullable(project).map(ProjectId::new),
        Optional.ofNullable(status));
  }
}
