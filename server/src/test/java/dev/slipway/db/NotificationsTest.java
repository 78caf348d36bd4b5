package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.TransientException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NotificationsTest {
  private static final String CONNECTED = "(connected)";

  private final Database database = TestDatabase.empty();
  private final Notifications notifications = Notifications.open(database.address());
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    notifications.close();
    database.close();
  }

  @Test
  void aSubscriberHearsWhatIsCommitted() throws Exception {
    subscribe("routes");
    send("routes", "42");

    assertThat(next()).isEqualTo("42");
  }

  @Test
  void whatIsRolledBackIsNeverHeard() throws Exception {
    subscribe("routes");
    assertThatThrownBy(() ->
            database.useTransaction(handle -> {
              Notifications.notify(handle, "routes", "rolled back");
              throw new IllegalArgumentException("no");
            }))
        .isInstanceOf(IllegalArgumentException.class);
    send("routes", "committed");

    assertThat(next()).isEqualTo("committed");
  }

  @Test
  void aSubscriberHearsItsOwnChannelOnly() throws Exception {
    subscribe("routes");
    send("jobs", "not for us");
    send("routes", "for us");

    assertThat(next()).isEqualTo("for us");
  }

  @Test
  void afterALostConnectionTheSubscriberIsToldAndHearsAgain() throws Exception {
    subscribe("routes");
    database.useTransaction(handle ->
        handle
            .select(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE application_name = 'slipway-notifications'
                   AND datname = current_database()
                """)
            .mapTo(boolean.class)
            .list());

    assertThat(next()).isEqualTo(CONNECTED);
    send("routes", "43");
    assertThat(next()).isEqualTo("43");
  }

  @Test
  void aSubscriberThatThrowsDoesNotSilenceTheOthers() throws Exception {
    notifications.subscribe(
        "routes",
        payload -> {
          throw new IllegalStateException("a subscriber's fault, thrown by a test");
        },
        () -> {});
    subscribe("routes");
    send("routes", "42");

    assertThat(next()).isEqualTo("42");
  }

  @Test
  void aStoreThatIsAwayIsFoundWhereItComesBack() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    try (Notifications others =
        Notifications.open(
            () -> {
              if (tries.incrementAndGet() < 3) {
                throw new TransientException("not up, says a test");
              }
              return database.address();
            },
            () -> heard.add("away"))) {
      others.subscribe("routes", heard::add, () -> heard.add(CONNECTED));

      assertThat(List.of(next(), next(), next())).containsExactly("away", "away", CONNECTED);
      send("routes", "44");
      assertThat(next()).isEqualTo("44");
    }
  }

  @Test
  void aSubscriberWhomTheStoreDidNotAnswerIsToldToReadAgain() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    notifications.subscribe(
        "routes",
        heard::add,
        () -> {
          if (reads.incrementAndGet() == 1) {
            throw new TransientException("no answer, says a test");
          }
          heard.add(CONNECTED);
        });

    assertThat(next()).isEqualTo(CONNECTED);
  }

  @Test
  void aChannelNameThatWouldNeedQuotesIsRefused() {
    assertThatThrownBy(() -> notifications.subscribe("a; DROP TABLE x", it -> {}, () -> {}))
        .hasMessageContaining("not a channel name");
  }

  private void subscribe(String channel) throws InterruptedException {
    notifications.subscribe(channel, heard::add, () -> heard.add(CONNECTED));
    assertThat(next()).isEqualTo(CONNECTED);
  }

  private void send(String channel, String payload) {
    database.useTransaction(handle -> Notifications.notify(handle, channel, payload));
  }

  /** Or "null" when nothing comes. */
  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(20, TimeUnit.SECONDS));
  }
}
