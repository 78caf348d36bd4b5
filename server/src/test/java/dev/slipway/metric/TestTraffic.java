package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Duration;

/** Requests for the tests of other packages. */
public final class TestTraffic {
  private TestTraffic() {}

  /** So many that were answered with 200 after 20 ms, just now. */
  public static void write(Database database, Clock clock, ProjectId project, int requests) {
    write(database, clock, project, requests, 200);
  }

  public static void write(
      Database database, Clock clock, ProjectId project, int requests, int status) {
    TrafficMeters meters = new TrafficMeters();
    for (int i = 0; i < requests; i++) {
      meters.of(project).begun();
      meters.of(project).ended(status, false, 100, 2000, Duration.ofMillis(20).toNanos());
    }
    new TrafficReport(database, new TrafficStore(), meters, clock).close();
  }
}
