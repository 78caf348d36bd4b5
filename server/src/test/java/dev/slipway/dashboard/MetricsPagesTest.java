package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.metric.TestTraffic;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsPagesTest {
  private final DashboardPlace place = new DashboardPlace();
  private final DashboardPlace.Browser browser = place.owner();
  private final Project shop = place.plane.project("shop");
  private final String path = "/projects/" + shop.id() + "/metrics";

  MetricsPagesTest() {
    TestTraffic.write(place.plane.database, place.plane.clock, shop.id(), 40);
    TestTraffic.write(place.plane.database, place.plane.clock, shop.id(), 3, 500);
  }

  @AfterAll
  void close() {
    place.close();
  }

  @ParameterizedTest
  @CsvSource({"1h,60", "24h,96", "7d,84", "30d,120"})
  void eachRangeHasItsPlotsAndTheirValuesAsATable(String range, int points) {
    DashboardPlace.Shown page = browser.get(path + "?range=" + range);

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body())
        .contains("range=" + range + "\" aria-current=\"page\"")
        .contains("<th scope=\"col\">p99</th>");
    assertThat(page.text())
        .containsPattern("Requests 43 most 43 at ")
        .containsPattern("Errors 3 most 3 at ")
        .containsPattern("Latency [0-9.]+ ms at \\d.* p99 at its highest")
        .containsPattern("Bytes out 86.0 kB")
        .contains("Memory No program ran");
    assertThat(rows(page)).isBetween((long) points, points + 1L);
    assertThat(page.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(100_000);
  }

  @Test
  void withoutARangeItIsTheLastDay() {
    for (String query : List.of("", "?range=", "?range=%3Cscript%3E")) {
      assertThat(browser.get(path + query).body())
          .contains("range=24h\" aria-current=\"page\"")
          .doesNotContain("<script>");
    }
  }

  @Test
  void whatHadNoRequestsHasFlatPlots() {
    Project idea = place.plane.project("idea");

    assertThat(browser.get("/projects/" + idea.id() + "/metrics").text())
        .contains("Requests 0", "Latency No request", "CPU time 0 ms");
  }

  private static long rows(DashboardPlace.Shown page) {
    return Pattern.compile("<tr><td>").matcher(page.body()).results().count();
  }
}
