package dev.slipway.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunLogsTest {
  private static final int CAP = 64 << 10;
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
    logs = new RunLogs(database, notifications, new LogCap(CAP), clock);
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

  @Test
  void ofALongLogItsBeginAndItsEndStayAndOneLineSaysWhatWasLeftOut() {
    write("a line of a log that is much too long", 5_000);

    List<StoredEntry> read = logs.read(LOG, 0, 10_000);
    List<StoredEntry> marks = read.stream().filter(RunLogsTest::saysWhatWasLeftOut).toList();
    assertThat(marks).hasSize(1);
    int at = read.indexOf(marks.getFirst());
    assertThat(messages(read.subList(0, at))).isEqualTo(lines(0, at));
    int leftOut = 5_000 - (read.size() - 1);
    assertThat(marks.getFirst().entry().message()).contains("%,d lines".formatted(leftOut));
    assertThat(marks.getFirst().seq()).isEqualTo(at + leftOut);
    assertThat(messages(read.subList(at + 1, read.size()))).isEqualTo(lines(at + leftOut, 5_000));
    assertThat(bytes(read.subList(0, at))).isBetween(CAP / 2 - 100, CAP / 2 + 100);
    assertThat(bytes(read)).isBetween(CAP - CAP / 16 - 200, CAP + 100);
    assertThat(timestamps()).isSorted();
  }

  @Test
  void theCapHoldsAtEveryMomentAndForEmptyLinesToo() {
    for (int i = 0; i < 20; i++) {
      write(500, _ -> "");
      assertThat(bytes(logs.read(LOG, 0, 100_000))).isLessThan(CAP + 200);
    }
    assertThat(logs.lastSeq(LOG)).isEqualTo(10_000);
    assertThat(logs.read(LOG, 9_999, 10)).extracting(StoredEntry::seq).containsExactly(10_000L);
  }

  @Test
  void oneLineThatIsLargerThanTheCapStaysAsTheNewest() {
    write(3, _ -> "x".repeat(2 * CAP));
    write(1, _ -> "the end");

    assertThat(logs.read(LOG, 0, 100))
        .extracting(StoredEntry::seq)
        .as("the begin, the mark, the end")
        .containsExactly(1L, 3L, 4L);
  }

  @Test
  void thePagesOfALongLogTogetherAreTheWhole() {
    write("a line of a log that is much too long", 5_000);

    for (int limit : new int[] {1, 7, 100, 999}) {
      List<StoredEntry> paged = new ArrayList<>();
      List<StoredEntry> page;
      do {
        page = logs.read(LOG, paged.isEmpty() ? 0 : paged.getLast().seq(), limit);
        assertThat(page).hasSizeLessThanOrEqualTo(limit);
        paged.addAll(page);
      } while (!page.isEmpty());
      assertThat(paged).as("pages of %d", limit).isEqualTo(logs.read(LOG, 0, 10_000));
    }
  }

  @Test
  void whoReadsWhileALogIsCutMissesNothingWithoutBeingTold() {
    long after = 0;
    long told = 0;
    long seen = 0;
    for (int i = 0; i < 100; i++) {
      write("a line of a log that is being written too fast", 200);
      // So little at a time that the cut overtakes this reader.
      List<StoredEntry> page = logs.read(LOG, after, 150);
      for (StoredEntry entry : page) {
        assertThat(entry.seq()).isGreaterThan(after);
        if (saysWhatWasLeftOut(entry)) {
          told += entry.seq() - after;
        } else {
          assertThat(entry.seq()).isEqualTo(after + 1);
          seen++;
        }
        after = entry.seq();
      }
    }
    assertThat(told).isPositive();
    assertThat(told + seen).isEqualTo(after);
  }

  private static boolean saysWhatWasLeftOut(StoredEntry entry) {
    return entry.entry().level() == LogLevel.WARNING;
  }

  private static int bytes(List<StoredEntry> entries) {
    return entries.stream()
        .filter(entry -> !saysWhatWasLeftOut(entry))
        .mapToInt(entry -> entry.entry().message().length() + LogCap.ENTRY_BYTES)
        .sum();
  }

  private static List<String> lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "a line of a log that is much too long " + i)
        .toList();
  }

  private void write(String what, int lines) {
    write(lines, i -> what + " " + i);
  }

  private void write(int lines, IntFunction<String> line) {
    try (RunLogs.OpenLog open = logs.open(LOG, NOTHING)) {
      IntStream.range(0, lines).mapToObj(line).forEach(open.log()::info);
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
