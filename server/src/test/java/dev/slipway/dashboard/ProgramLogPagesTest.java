package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.EnvVars;
import dev.slipway.core.Eventually;
import dev.slipway.core.InstanceId;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProgramLogPagesTest {
  private final DashboardPlace place = new DashboardPlace();
  private final AtomicInteger projects = new AtomicInteger();
  private Project shop = place.plane.project("first");
  private String path = "";

  /** Each test has a project of its own. */
  @BeforeEach
  void begin() {
    shop = place.plane.project("shop-" + projects.incrementAndGet());
    path = "/projects/" + shop.id() + "/logs";
  }

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void whatTheProgramPrintsIsThereAsTextWithItsInstanceAndFollowed() {
    Deployment live = place.plane.deploy(shop);
    print(live, "listening\n<script>alert(1)</script>\n\u001b[31mred\u001b[0m\n");

    DashboardPlace.Shown page = place.owner().get(path);

    assertThat(page.body())
        .contains("listening", "&lt;script&gt;alert(1)&lt;/script&gt;", ">red<")
        .doesNotContain("<script>alert", "\u001b")
        .contains("/dashboard/deployments/" + live.id() + "/log?stream=app")
        .contains("href=\"/dashboard" + path + ".txt\"")
        .contains(instance(live).value());
    int printed = "listening\n<script>alert(1)</script>\n\u001b[31mred\u001b[0m\n".length();
    assertThat(page.body()).contains("data-read=\"" + instance(live) + ":" + printed + "\"");
  }

  @Test
  void noTimeIsShownForWhatWasPrintedBeforeAnybodyLooked() {
    Deployment live = place.plane.deploy(shop);
    print(live, "listening\n");
    DashboardPlace.Browser browser = place.owner();

    DashboardPlace.Shown page = browser.get(path);
    assertThat(page.body()).contains(">listening<").doesNotContain("</a><time");
    assertThat(page.text()).contains("A program writes no times");
    assertThat(browser.get(path + ".txt").body()).isEqualTo(instance(live) + "  listening\n");
  }

  @Test
  void whoLooksAtAProgramThatIsGoneIsLedToTheOneThatServes() {
    print(place.plane.deploy(shop), "listening\n");

    assertThat(place.owner().get(path).body())
        .contains("data-ended hidden", "href=\"/dashboard" + path + "\">Show what serves now");
  }

  @Test
  void ofMuchOutputTheNewestIsShownAndAllOfItCanBeDownloaded() {
    Deployment live = place.plane.deploy(shop);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      text.append("line ").append(i).append('\n');
    }
    print(live, text.toString());
    DashboardPlace.Browser browser = place.owner();

    DashboardPlace.Shown page = browser.get(path);
    assertThat(page.body()).contains(">line 19999<").doesNotContain(">line 100<", "Older output");
    assertThat(page.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(100_000);
    List<String> all = browser.get(path + ".txt").body().lines().toList();
    assertThat(all).hasSize(20_000);
    assertThat(all.getFirst()).endsWith("  line 0");
    assertThat(all.getLast()).endsWith("  line 19999");
  }

  @Test
  void ofSeveralInstancesEachHasItsPart() {
    Deployment live = place.plane.deploy(shop);
    place.api.call("PATCH", "/v1/projects/" + shop.id(), "{\"instances\": 2}");
    place.plane.main.jobs.runDue();
    Eventually.holds("two run", () -> place.plane.main.instances.healthy(live.id()).size() == 2);
    List<InstanceId> both = place.plane.main.instances.healthy(live.id());
    for (InstanceId id : both) {
      place.plane.main.runtime.print(id, ("spoken by " + id + "\n").repeat(1_000));
    }

    String page = place.owner().get(path).body();
    for (InstanceId id : both) {
      assertThat(Pattern.compile(">spoken by " + id + "<").matcher(page).results().count())
          .isBetween(100L, 150L);
    }
  }

  @Test
  void valuesOfVariablesAreMasked() {
    Deployment live =
        place.plane.read(
            place.plane.trigger(shop, new EnvVars(Map.of("TOKEN", "s3cret-of-ada"))).id());
    place.plane.main.jobs.runDue();
    print(live, "my token is s3cret-of-ada\n");
    DashboardPlace.Browser browser = place.owner();

    for (String each : List.of(path, path + ".txt")) {
      assertThat(browser.get(each).body())
          .contains("my token is [masked]")
          .doesNotContain("s3cret-of-ada");
    }
  }

  @Test
  void aSiteAndWhatWasNeverDeployedHaveNoProgram() {
    DashboardPlace.Browser browser = place.owner();
    assertThat(browser.get(path).text()).contains("Nothing serves this project yet.");
    assertThat(browser.get(path + ".txt").status()).isEqualTo(404);
    place.plane.becomesSite(shop);
    place.plane.deploy(shop);
    assertThat(browser.get(path).text()).contains("This project is a site");
  }

  private InstanceId instance(Deployment live) {
    return place.plane.main.instances.all(live.id()).getFirst();
  }

  private void print(Deployment live, String text) {
    place.plane.main.runtime.print(instance(live), text);
  }
}
