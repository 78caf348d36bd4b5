package dev.slipway.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.ProjectId;
import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import dev.slipway.metric.ProjectMetrics.Point;
import dev.slipway.metric.ProjectMetrics.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From what edges count to what is read of it, through the store. */
class TrafficReportTest {
  private static final Instant START = Instant.parse("2026-11-21T09:30:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Database database = TestDatabase.fresh();
  private final TestClock clock = new TestClock();
  private final TrafficStore rows = new TrafficStore();
  private final ProjectMetrics metrics = new ProjectMetrics(database, rows, new UseStore(), clock);
  private final ProjectId project = ProjectId.next();
  private final TrafficMeters meters = new TrafficMeters();
  private final TrafficReport report = new TrafficReport(database, rows, meters, clock);

  @BeforeEach
  void moveOn() {
    moveTo(START.plusSeconds(30));
  }

  @AfterEach
  void close() {
    report.close();
    database.close();
  }

  @Test
  void requestsAreCountedForTheMinuteAndTheHourOfTheirEnd() {
    request(meters, 200, 3);
    request(meters, 503, 40);
    report.report();
    moveTo(START.plusSeconds(90));
    request(meters, 200, 3);
    meters.of(project).begun();
    report.report();

    List<Point> minutes = read(MINUTE, START, START.plusSeconds(180));
    assertThat(minutes).extracting(Point::requests).containsExactly(2L, 1L, 0L);
    Point first = minutes.getFirst();
    assertThat(first.at()).isEqualTo(START);
    assertThat(first.byClass()).containsExactly(0L, 1L, 0L, 0L, 1L);
    assertThat(first.receivedBytes()).isEqualTo(20);
    assertThat(first.sentBytes()).isEqualTo(200);
    assertThat(first.mostInFlight()).isZero();
    assertThat(first.p50Millis().orElseThrow()).isBetween(2.5, 3.5);
    assertThat(first.p99Millis().orElseThrow()).isBetween(35.0, 45.0);
    assertThat(minutes.get(1).mostInFlight()).isOne();
    assertThat(minutes.get(2).p50Millis()).isEmpty();
    assertThat(read(HOUR, START, START.plusSeconds(1)))
        .extracting(Point::requests)
        .containsExactly(3L);
  }

  @Test
  void whatWasWrittenTwiceCountsOnce() {
    request(meters, 200, 3);
    report.report();
    request(meters, 200, 3);
    report.report();
    report.report();

    assertThat(read(MINUTE, START, START.plusSeconds(60)).getFirst().requests()).isEqualTo(2);
  }

  @Test
  void edgesAreAddedUp() {
    TrafficMeters others = new TrafficMeters();
    TrafficReport other = new TrafficReport(database, rows, others, clock);
    request(meters, 200, 3);
    request(others, 404, 3);
    report.report();
    other.close();

    Point point = read(MINUTE, START, START.plusSeconds(60)).getFirst();
    assertThat(point.byClass()).containsExactly(0L, 1L, 0L, 1L, 0L);
  }

  @Test
  void whatWasUnderWayBeforeAStartOfTheEdgeIsNotAddedToWhatIsAfterIt() {
    TrafficMeters before = new TrafficMeters();
    before.of(project).begun();
    before.of(project).begun();
    new TrafficReport(database, rows, before, clock).close();
    meters.of(project).begun();
    report.report();

    assertThat(read(MINUTE, START, START.plusSeconds(60)).getFirst().mostInFlight()).isEqualTo(2);
  }

  @Test
  void aClockThatStepsBackTakesNothingFromWhatIsWritten() {
    for (int i = 0; i < 3; i++) {
      request(meters, 200, 3);
    }
    report.report();
    moveTo(START.plusSeconds(3_700));
    request(meters, 200, 3);
    report.report();

    moveTo(START.plusSeconds(30));
    request(meters, 200, 3);
    report.report();

    assertThat(read(HOUR, START, START.plusSeconds(3_601)))
        .extracting(Point::requests)
        .containsExactly(3L, 2L);
  }

  @Test
  void whileTheStoreIsAwayAllOfItWaits() {
    database.useTransaction(tx -> tx.execute("ALTER TABLE traffic RENAME TO away"));
    for (int minute = 0; minute < 3; minute++) {
      moveTo(START.plusSeconds(60L * minute + 30));
      request(meters, 200, 3);
      try {
        report.report();
      } catch (RuntimeException e) {
        // It says that the table is not there.
      }
    }
    database.useTransaction(tx -> tx.execute("ALTER TABLE away RENAME TO traffic"));
    moveTo(START.plusSeconds(300));

    report.close();

    assertThat(read(MINUTE, START, START.plusSeconds(180)))
        .extracting(Point::requests)
        .containsExactly(1L, 1L, 1L);
  }

  @Test
  void minutesAreForgottenAfterADayAndHoursAfterAMonth() {
    request(meters, 200, 3);
    report.report();

    moveTo(START.plus(Duration.ofDays(2)));
    metrics.forgetOld();
    assertThat(read(MINUTE, START, START.plusSeconds(60)).getFirst().requests()).isZero();
    assertThat(read(HOUR, START, START.plusSeconds(60)).getFirst().requests()).isOne();

    moveTo(START.plus(Duration.ofDays(32)));
    metrics.forgetOld();
    assertThat(read(HOUR, START, START.plusSeconds(60)).getFirst().requests()).isZero();
  }

  @Test
  void aWebSocketCountsAndHasNoTime() {
    request(meters, 101, 90_000);
    report.report();

    Point point = read(MINUTE, START, START.plusSeconds(60)).getFirst();
    assertThat(point.byClass().getFirst()).isOne();
    assertThat(point.p99Millis()).isEqualTo(Optional.empty());
  }

  private void moveTo(Instant moment) {
    clock.advance(Duration.between(clock.instant(), moment));
  }

  private void request(TrafficMeters counted, int status, int millis) {
    Traffic traffic = counted.of(project);
    traffic.begun();
    traffic.ended(status, false, 10, 100, Duration.ofMillis(millis).toNanos());
  }

  private List<Point> read(Duration step, Instant from, Instant to) {
    return metrics.read(project, new Range(from, to, step));
  }
}
