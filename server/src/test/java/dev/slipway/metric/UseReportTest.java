package dev.slipway.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import dev.slipway.metric.ProjectMetrics.InstanceUse;
import dev.slipway.metric.ProjectMetrics.Point;
import dev.slipway.metric.ProjectMetrics.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UseReportTest {
  private static final Duration LOOK = Duration.ofSeconds(15);

  private final Database database = TestDatabase.fresh();
  private final TestClock clock = new TestClock();
  private final UseStore store = new UseStore();
  private final ProjectId project = ProjectId.next();
  private final InstanceId first = InstanceId.next();
  private final InstanceId second = InstanceId.next();
  private final Instant begin = clock.instant();
  private List<Use> running = List.of();
  private final UseReport report = report("here");

  @AfterEach
  void close() {
    report.close();
    database.close();
  }

  @Test
  void whatInstancesTakeIsAddedUpOrTheMostOfIt() {
    look(use(first, 5, 100));
    look(use(first, 7, 300), use(second, 1, 50));
    look(use(first, 8, 200), use(second, 2, 60));

    InstanceUse use = read().getFirst().use().orElseThrow();
    assertThat(use.instances()).isEqualTo(2);
    assertThat(use.cpuSeconds()).isEqualTo(5); // none of what the first look found
    assertThat(use.memoryBytes()).isEqualTo(350);
  }

  @Test
  void whatCouldNotBeReadOnceIsNotCountedTwice() {
    look(use(first, 5, 100));
    look();
    look(use(first, 7, 100));

    assertThat(read().getFirst().use().orElseThrow().cpuSeconds()).isEqualTo(2);
  }

  @Test
  void whereNothingRunsThereIsNothing() {
    look();

    assertThat(read().getFirst().use()).isEqualTo(Optional.empty());
  }

  @Test
  void aServerThatStartsAgainCountsNothingTwice() {
    look(use(first, 5, 100));
    look(use(first, 7, 100));
    try (UseReport again = report("here")) {
      again.report();
      running = List.of(use(first, 8, 100));
      again.report();
    }

    assertThat(read().getFirst().use().orElseThrow().cpuSeconds()).isEqualTo(3);
  }

  @Test
  void hostsAreAddedUp() {
    look(use(first, 5, 100));
    try (UseReport there = report("there")) {
      running = List.of(use(second, 9, 40));
      there.report();
    }

    InstanceUse use = read().getFirst().use().orElseThrow();
    assertThat(use.instances()).isEqualTo(2);
    assertThat(use.memoryBytes()).isEqualTo(140);
  }

  private UseReport report(String worker) {
    return new UseReport(database, store, worker, () -> running, clock);
  }

  private void look(Use... uses) {
    running = List.of(uses);
    report.report();
    clock.advance(LOOK);
  }

  private Use use(InstanceId instance, int cpuSeconds, long memory) {
    return new Use(project, instance, Duration.ofSeconds(cpuSeconds).toNanos(), memory);
  }

  private List<Point> read() {
    return new ProjectMetrics(database, new TrafficStore(), store, clock)
        .read(project, new Range(begin, begin.plusSeconds(60), Duration.ofMinutes(1)));
  }
}
