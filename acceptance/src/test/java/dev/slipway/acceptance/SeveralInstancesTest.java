package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class SeveralInstancesTest {
  private static final int VISITORS = 8;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SlipwayProcess slipway;

  SeveralInstancesTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void requestsAreSharedAndOneThatIsKilledIsReplacedWithoutLoss() {
    App app = slipway.migrate(ExpressApp.named("many"));
    Load load = Load.on(app, VISITORS);
    try (load) {
      want(app, 3);
      Set<String> programs = programs(app, 3);

      int port = Integer.parseInt(slipway.visit(app.host(), "/port").body());
      slipway.processesAt(port).entrySet().stream()
          .filter(process -> process.getValue().startsWith("node"))
          .forEach(process -> ProcessTable.kill(process.getKey()));
      Wait.until("another takes its place", LIMIT, () -> isAnotherOf(programs(app), programs));
      Set<String> after = programs(app, 3);
      assertThat(after.stream().filter(programs::contains)).hasSize(2);

      want(app, 1);
      assertThat(programs(app)).hasSize(1).isSubsetOf(after);
      int then = load.answers();
      Wait.until("requests go on", LIMIT, () -> load.answers() > then + VISITORS);
    }

    assertThat(load.failures()).isEmpty();
  }

  private static boolean isAnotherOf(Set<String> now, Set<String> before) {
    return now.size() == before.size() && !now.equals(before);
  }

  private static void want(App app, int instances) {
    app.wantInstances(instances);
    Wait.until("so many take requests", LIMIT, () -> app.instancesRunning() == instances);
  }

  /** So many and no more; one that is busy with others may get none of the first requests. */
  private Set<String> programs(App app, int count) {
    Set<String> seen = new HashSet<>();
    Wait.until(
        "each of them answers",
        LIMIT,
        () -> {
          seen.addAll(programs(app));
          return seen.size() >= count;
        });
    assertThat(seen).hasSize(count);
    return seen;
  }

  /**
   * As many requests as all of them get some of, unless they are busy; what each answers tells it
   * from the others.
   */
  private Set<String> programs(App app) {
    return IntStream.range(0, 60)
        .mapToObj(_ -> slipway.visit(app.host(), "/born").body())
        .collect(Collectors.toSet());
  }
}
