package dev.slipway.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AccountId;
import dev.slipway.core.Eventually;
import dev.slipway.core.ProjectId;
import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventsTest {
  private static final int MANY = 1_000;

  private final TestClock clock = new TestClock();
  private final Database database = TestDatabase.fresh();
  private final Events events = new Events(database, clock);
  private final AccountId account = AccountId.next();
  private final ProjectId shop = ProjectId.next();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void oneThatIsCommittedLateIsMissedByNobodyWhoReadsMeanwhile() {
    Events.Cursor reader = events.fromNow(account, Optional.empty());
    CompletableFuture<Void> written = new CompletableFuture<>();
    CompletableFuture<Void> mayCommit = new CompletableFuture<>();
    CompletableFuture<Void> slow =
        CompletableFuture.runAsync(
            () ->
                database.useTransaction(tx -> {
                  write(tx, "slow");
                  written.complete(null);
                  mayCommit.join();
                }),
            Thread::startVirtualThread);
    written.join();
    write("fast");

    assertThat(events.place(MANY)).isOne();
    assertThat(resources(reader.next(MANY))).containsExactly("fast");

    mayCommit.complete(null);
    slow.join();
    assertThat(events.place(MANY)).isOne();
    assertThat(resources(reader.next(MANY))).containsExactly("slow");
  }

  @Test
  void nothingIsKeptOfATransactionThatFails() {
    assertThatThrownBy(() ->
            database.useTransaction(tx -> {
              write(tx, "one");
              throw new IllegalStateException("as told");
            }))
        .isInstanceOf(IllegalStateException.class);
    write("one");

    assertThat(events.place(MANY)).isOne();
    assertThat(read().getFirst().sequence()).isOne();
  }

  @Test
  void aListenerThatFailsIsToldAgain() {
    List<String> told = new ArrayList<>();
    events.tell((_, placed) -> {
      told.addAll(resources(placed));
      if (told.size() == 2) {
        throw new IllegalStateException("as told");
      }
    });
    write("one");
    write("two");

    assertThatThrownBy(() -> events.place(MANY)).isInstanceOf(IllegalStateException.class);
    assertThat(read()).isEmpty();
    assertThat(events.place(MANY)).isEqualTo(2);
    assertThat(told).containsExactly("one", "two", "one", "two");
  }

  @Test
  void eachIsPlacedOnceHoweverManyPlace() {
    for (int i = 0; i < 200; i++) {
      write("resource" + i);
    }
    List<CompletableFuture<Integer>> placers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      placers.add(CompletableFuture.supplyAsync(this::placeAll, Thread::startVirtualThread));
    }

    assertThat(placers.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(200);
    assertThat(read()).hasSize(200).extracting(Event::resource).doesNotHaveDuplicates();
  }

  private int placeAll() {
    int sum = 0;
    for (int placed = events.place(7); placed > 0; placed = events.place(7)) {
      sum += placed;
    }
    return sum;
  }

  @Test
  void aFollowerIsWokenByEventsOfItsOwnAccountAlone() {
    Semaphore own = new Semaphore(0);
    Semaphore others = new Semaphore(0);
    try (Notifications notifications = Notifications.open(database.address())) {
      events.listen(notifications);
      Eventually.holds("listening", () -> listens(own));
      events.follow(AccountId.next(), others::release);
      events.follow(account, own::release);
      write("one");
      events.place(MANY);
      Eventually.holds("woken", () -> own.tryAcquire());
      assertThat(others.availablePermits()).isZero();

      events.unfollow(account, own::release);
    }
  }

  /** The first word is that of the connect. */
  private boolean listens(Semaphore probe) {
    Runnable release = probe::release;
    events.follow(account, release);
    write("probe");
    events.place(MANY);
    boolean woken = probe.tryAcquire();
    events.unfollow(account, release);
    probe.drainPermits();
    return woken;
  }

  @Test
  void theBodyIsWhatTheStandardAsksFor() {
    write("one");
    events.place(MANY);

    assertThat(read().getFirst().body())
        .matches(
            "\\{\"type\":\"project\\.created\",\"timestamp\":\"[-0-9]{10}T[:0-9]{8}\\.[0-9]{3}Z\",\"sequence\":1,\"data\":\\{\"id\":\"one\"}}");
  }

  @Test
  void whatIsOldGoesAndNumbersGoOn() {
    write("one");
    events.place(MANY);
    clock.advance(Duration.ofDays(31));
    events.forgetOld();
    assertThat(read()).isEmpty();

    write("one");
    events.place(MANY);
    events.forgetOld();

    assertThat(read()).hasSize(1).extracting(Event::sequence).containsExactly(2L);
    assertThat(events.list(account, Optional.empty(), Optional.empty(), 1).getFirst().place())
        .isEqualTo(2);
  }

  private List<Event> read() {
    return events.list(account, Optional.of(shop), Optional.empty(), MANY).stream()
        .map(Events.Placed::event)
        .toList();
  }

  private void write(String resource) {
    database.useTransaction(tx -> write(tx, resource));
  }

  private void write(Handle tx, String resource) {
    events.write(
        tx,
        EventType.PROJECT_CREATED,
        new Events.Subject(account, shop, resource),
        "{\"id\":\"%s\"}".formatted(resource));
  }

  private static List<String> resources(List<Event> events) {
    return events.stream().map(Event::resource).toList();
  }
}
