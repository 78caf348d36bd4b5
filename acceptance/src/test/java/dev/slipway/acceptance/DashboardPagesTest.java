package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What holds for every page: people of all kinds can use it, it fits a phone, it is small, and what
 * comes from outside is text in it, whatever it holds.
 */
@ExtendWith({SharedSlipway.class, ChromiumOfClass.class})
final class DashboardPagesTest {
  private static final int MOST_BYTES = 100_000;
  private static final String HOSTILE =
      "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>\"'><svg onload=window.hit=1>";
  private final SlipwayProcess slipway;
  private final Chromium chromium;

  DashboardPagesTest(SlipwayProcess slipway, Chromium chromium) {
    this.slipway = slipway;
    this.chromium = chromium;
  }

  @Test
  void everyPageIsAccessibleSmallAndSafeAndFitsAPhone() throws IOException {
    try (HostileEndpoint endpoint = HostileEndpoint.start(HOSTILE)) {
      look(pages(endpoint));
    }
  }

  private void look(List<String> pages) {
    Page page = chromium.signIn(slipway);
    List<String> complaints = new ArrayList<>();
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") && !message.text().contains("status of")) {
        complaints.add(page.url() + " says " + message.text());
      }
    });
    page.onPageError(error -> complaints.add(page.url() + " fails: " + error));

    for (String path : pages) {
      Response answer = page.navigate(path);
      page.waitForLoadState(LoadState.DOMCONTENTLOADED);
      assertThat(answer.status()).as(path).isEqualTo(200);
      assertThat(answer.body().length).as("bytes of %s", path).isLessThan(MOST_BYTES);
      complaints.addAll(violations(page, path));
      page.setViewportSize(Chromium.PHONE_WIDTH, 780);
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
      complaints.addAll(violations(page, path + ", dark, on a phone"));
      if ((boolean) page.evaluate("document.documentElement.scrollWidth > innerWidth")) {
        complaints.add(path + " is wider than a phone");
      }
      page.setViewportSize(1440, 900);
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
      if (page.evaluate("window.hit") != null) {
        complaints.add(path + " runs a script from outside");
      }
    }

    assertThat(complaints).isEmpty();
  }

  private static List<String> violations(Page page, String where) {
    return new AxeBuilder(page)
        .analyze().getViolations().stream()
            .map((Rule rule) ->
                "%s: %s at %s"
                    .formatted(where, rule.getHelp(), rule.getNodes().getFirst().getTarget()))
            .toList();
  }

  /** All that there are, of an account in which each has something to show. */
  private List<String> pages(HostileEndpoint endpoint) {
    Repository repository = slipway.repository();
    repository.commit(
        ExpressApp.program(
            """
            console.log(%s + "\\u001b[31mred\\u001b[0m");
            require("express")().get("/", (_, answer) => answer.send("ok")).listen(process.env.PORT);
            """
                .formatted(quoted(HOSTILE))),
        HOSTILE);
    App app = slipway.migrate(repository, Map.of("HOSTILE", HOSTILE));
    repository.commit(
        ExpressApp.program("throw new Error(%s)".formatted(quoted(HOSTILE))), HOSTILE);
    Deployment failed = app.deploy().awaitFailed();
    slipway
        .api()
        .post("/v1/projects/" + app.project() + "/domains", Map.of("name", "pages.example.org"));
    String webhook = "/v1/webhooks/" + made("/v1/webhooks", Map.of("url", endpoint.url()));
    String delivery = made(webhook + "/test", Map.of());
    Wait.until(
        "the webhook is delivered",
        Duration.ofSeconds(30),
        () ->
            slipway
                .api()
                .get(webhook + "/deliveries/" + delivery)
                .get("status")
                .asText()
                .equals("delivered"));
    GitHook hook = GitHook.of(slipway, app.project());
    String preview = hook.opened(repository, 12, HOSTILE);
    JsonNode migration = slipway.api().get("/v1/migrations?limit=1").get(0);
    String project = "/dashboard/projects/" + app.project();
    return List.of(
        "/dashboard/projects",
        project,
        project + "/deployments",
        project + "/logs",
        project + "/metrics",
        project + "/metrics?range=30d",
        project + "/variables",
        project + "/domains",
        project + "/database",
        project + "/settings",
        project + "/settings/hook",
        project + "/previews",
        project + "/previews/" + preview,
        project + "/variables/previews",
        "/dashboard/deployments",
        "/dashboard/deployments/" + app.first().id(),
        "/dashboard/deployments/" + failed.id(),
        "/dashboard/migrations/" + migration.get("id").asText(),
        "/dashboard/new",
        "/dashboard/databases",
        "/dashboard/settings",
        "/dashboard/settings/keys",
        "/dashboard/settings/users",
        "/dashboard/settings/webhooks",
        "/dashboard/settings" + webhook.substring("/v1".length()),
        "/dashboard/settings" + webhook.substring("/v1".length()) + "/deliveries/" + delivery,
        "/dashboard/settings/usage",
        "/dashboard/settings/git",
        "/dashboard/settings/server",
        "/dashboard/settings/audit");
  }

  /** The id of what the API makes. */
  private String made(String path, Map<String, ?> body) {
    return slipway.api().post(path, body).get("id").asText();
  }

  /** As a literal of JavaScript. */
  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
