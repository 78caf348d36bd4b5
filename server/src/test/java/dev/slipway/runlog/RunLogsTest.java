package dev.slipway.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunLogsTest {
  private static final String LOG = "dep_1";
  private static final Masker NOTHING = new Masker(List.of());

  private final TestClock clock = new TestClock();
  private Database database;
  private Notifications notifications;
  private RunLogs logs;

  @BeforeEach
  void open() {
    database = TestDatabase.fresh();
    notifications = Notifications.open(database.address());
    logs = new RunLogs(database, notifications, clock);
    database.useTransaction(tx -> logs.create(tx, LOG));
  }

  @AfterEach
  void close() {
    notifications.close();
    database.close();
  }

  @Test
  void entriesComeBackInTheirOrderNumberedFromOne() {
    try (RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      IntStream.range(0, 1_234).forEach(i -> open.log().info("line " + i));
    }

    List<StoredEntry> read = logs.read(LOG, 0, 2_000);
    assertThat(read).extracting(StoredEntry::seq).containsExactlyElementsOf(numbers(1, 1_234));
    assertThat(messages(read))
        .containsExactlyElementsOf(IntStream.range(0, 1_234).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void aLongLogIsReadInPieces() {
    try (RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      IntStream.range(0, 25).forEach(i -> open.log().info("line " + i));
    }

    assertThat(logs.read(LOG, 0, 10))
        .extracting(StoredEntry::seq)
        .containsExactlyElementsOf(numbers(1, 10));
    assertThat(logs.read(LOG, 20, 10))
        .extracting(StoredEntry::seq)
        .containsExactlyElementsOf(numbers(21, 25));
    assertThat(logs.read(LOG, 25, 10)).isEmpty();
  }

  @Test
  void whatWasFlushedIsDurable() {
    try (RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      open.log()
          .step(
              "fetch",
              () -> {
                assertThat(messages(logs.read(LOG, 0, 10))).containsExactly("Step fetch started.");
                clock.advance(Duration.ofMillis(1_250));
                return "done";
              });
    }

    assertThat(messages(logs.read(LOG, 0, 10)))
        .containsExactly("Step fetch started.", "Step fetch finished in 1.3 s.");
  }

  @Test
  void whatWaitsIsWrittenSoonWithoutAFlush() throws InterruptedException {
    Semaphore changes = new Semaphore(0);
    try (var _ = logs.follow(LOG, changes::release);
        RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      open.log().info("a lonely line");
      while (logs.read(LOG, 0, 10).isEmpty()) {
        awaitChange(changes);
      }
      assertThat(messages(logs.read(LOG, 0, 10))).containsExactly("a lonely line");
    }
  }

  @Test
  void timestampsNeverGoBackWithinABatch() {
    try (RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      open.log().info("one");
      clock.advance(Duration.ofSeconds(-10));
      open.log().info("two");
    }

    assertThat(timestamps()).isSorted().hasSize(2);
  }

  @Test
  void timestampsNeverGoBackFromOneBatchToTheNext() {
    try (RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      open.log().info("one");
      clock.advance(Duration.ofSeconds(-10));
      open.log().info("two, at an earlier time by the clock");
      open.log().flush();
      clock.advance(Duration.ofSeconds(5));
      open.log().info("three, still earlier than one");
    }

    assertThat(timestamps()).isSorted().hasSize(3);
  }

  @Test
  void everyMessageIsMasked() {
    try (RunLogs.OpenLog open = logs.open(LOG, new Masker(List.of("s3cret-value")))) {
      open.log().info("TOKEN=s3cret-value");
      open.log().error("s3cret-value");
    }

    assertThat(messages(logs.read(LOG, 0, 10))).containsExactly("TOKEN=[masked]", "[masked]");
  }

  @Test
  void anEntryOfATransactionThatIsRolledBackIsNotThere() {
    database.useTransaction(tx -> {
      logs.append(tx, LOG, LogLevel.INFO, "never happened");
      tx.rollback();
    });
    database.useTransaction(tx -> logs.append(tx, LOG, LogLevel.SUCCESS, "happened"));

    assertThat(logs.read(LOG, 0, 10)).extracting(StoredEntry::seq).containsExactly(1L);
  }

  @Test
  void twoWritersAtOnceGetANumberEach() throws InterruptedException {
    Thread other = Thread.ofPlatform().start(() -> write("other", 700));
    write("one", 700);
    other.join();

    assertThat(logs.read(LOG, 0, 2_000))
        .extracting(StoredEntry::seq)
        .containsExactlyElementsOf(numbers(1, 1_400));
  }

  @Test
  void whatComesAfterTheLastEntryIsNotKept() {
    try (RunLogs.OpenLog late = logs.open(LOG, NOTHING)) {
      late.log().info("before");
      late.log().flush();
      database.useTransaction(tx -> {
        logs.append(tx, LOG, LogLevel.ERROR, "the cause");
        logs.close(tx, LOG);
      });
      late.log().info("said by a worker that does not know yet");
    }

    assertThat(logs.closed(LOG)).isTrue();
    assertThat(messages(logs.read(LOG, 0, 10))).containsExactly("before", "the cause");
  }

  @Test
  void followersAreToldOfEntriesAndOfTheEndUntilTheyLeave() throws InterruptedException {
    Semaphore changes = new Semaphore(0);
    RunLogs.Following following = logs.follow(LOG, changes::release);
    write("line", 1);
    while (logs.read(LOG, 0, 10).isEmpty()) {
      awaitChange(changes);
    }
    database.useTransaction(tx -> logs.close(tx, LOG));
    awaitChange(changes);

    following.close();
    Semaphore others = new Semaphore(0);
    try (var _ = logs.follow(LOG, others::release)) {
      changes.drainPermits();
      database.useTransaction(tx -> logs.close(tx, LOG));
      awaitChange(others);
    }
    assertThat(changes.availablePermits()).isZero();
  }

  @Test
  void aLogThatNeverWasIsClosedAndEmpty() {
    assertThat(logs.closed("dep_none")).isTrue();
    assertThat(logs.read("dep_none", 0, 10)).isEmpty();
  }

  private void write(String what, int lines) {
    try (RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      IntStream.range(0, lines).forEach(i -> open.log().info(what + " " + i));
    }
  }

  private List<Instant> timestamps() {
    return logs.read(LOG, 0, 100).stream().map(stored -> stored.entry().timestamp()).toList();
  }

  private static List<String> messages(List<StoredEntry> entries) {
    return entries.stream().map(stored -> stored.entry().message()).toList();
  }

  private static List<Long> numbers(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  private static void awaitChange(Semaphore changes) throws InterruptedException {
    assertThat(changes.tryAcquire(20, TimeUnit.SECONDS)).as("told within 20 s").isTrue();
  }
}
