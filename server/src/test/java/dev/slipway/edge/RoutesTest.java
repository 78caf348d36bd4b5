package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private final Database database = TestDatabase.fresh();
  private final Notifications notifications = Notifications.open(database.address());
  private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();
  private final Routes routes =
      new Routes(
          database,
          new RouteStore(
              new Addresses(URI.create("http://localhost:8080"), "localhost"), Duration.ZERO));

  @AfterEach
  void close() {
    notifications.close();
    database.close();
  }

  @Test
  void aMirrorFollowsAndAfterEachConnectTakesTheStoresTableThoughItIsOlder() throws Exception {
    feed();
    routes.mirror(notifications);
    assertThat(next()).isEqualTo("reset 1");

    database.useTransaction(routes::changed);
    assertThat(next()).isEqualTo("apply 2");

    // As after a backup was restored.
    database.useTransaction(tx -> tx.execute("UPDATE route_version SET version = 1"));
    database.useTransaction(tx ->
        tx.createQuery(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE application_name = 'slipway-notifications'
                   AND datname = current_database()
                """)
            .mapTo(Boolean.class)
            .list());
    assertThat(next()).isEqualTo("reset 1");
  }

  private void feed() {
    routes.feed(
        new Routes.Edge() {
          @Override
          public void apply(RouteTable table) {
            taken.add("apply " + table.version());
          }

          @Override
          public void reset(RouteTable table) {
            taken.add("reset " + table.version());
          }
        });
  }

  @Test
  void aMirrorReadsAgainWhereTheStoreCouldNotBeRead() throws Exception {
    database.useTransaction(tx -> tx.execute("ALTER TABLE route_version RENAME TO other"));
    try (Notifications watched = Notifications.open(database::address, () -> taken.add("away"))) {
      feed();
      routes.mirror(watched);
      assertThat(next()).isEqualTo("away");

      database.useTransaction(tx -> tx.execute("ALTER TABLE other RENAME TO route_version"));

      String heard = next();
      while (heard.equals("away")) {
        heard = next();
      }
      assertThat(heard).isEqualTo("reset 1");
    }
  }

  /** Or "null" when nothing comes. */
  private String next() throws InterruptedException {
    return String.valueOf(taken.poll(30, TimeUnit.SECONDS));
  }
}
