package dev.slipway.acceptance;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The way of somebody who has a browser and nothing else. */
@ExtendWith({SharedSlipway.class, ChromiumOfClass.class})
final class DashboardTest {
  private static final double LONG_MILLIS = 90_000;
  private static final LocatorAssertions.IsVisibleOptions AFTER_A_WHILE =
      new LocatorAssertions.IsVisibleOptions().setTimeout(LONG_MILLIS);
  private final SlipwayProcess slipway;
  private final Chromium chromium;

  DashboardTest(SlipwayProcess slipway, Chromium chromium) {
    this.slipway = slipway;
    this.chromium = chromium;
  }

  @Test
  void aKeyIsMadeUsedAndRevoked() {
    Page page = chromium.signIn(slipway);
    page.navigate("/dashboard/settings/keys");
    page.getByLabel("Name").fill("ci of the shop");
    Chromium.button(page, "Create key").click();
    Locator made =
        page.locator("section", new Page.LocatorOptions().setHasText("ci of the shop")).first();
    made.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Copy the key")).click();
    String key = String.valueOf(page.evaluate("navigator.clipboard.readText()"));

    assertThat(key).startsWith("slip_");
    assertThat(status(key)).isEqualTo(200);
    page.reload();
    assertThat(page.content()).doesNotContain(key);
    assertThat(
            page.getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions().setHasText("ci of the shop"))
                .count())
        .as("no second key is made")
        .isOne();
    Locator row =
        page.getByRole(AriaRole.ROW)
            .filter(new Locator.FilterOptions().setHasText("ci of the shop"));
    row.getByRole(AriaRole.BUTTON).first().click();
    Chromium.button(page, "Revoke key").click();
    page.waitForURL("**done=key-revoked");
    assertThat(status(key)).isEqualTo(401);
  }

  @Test
  void anApplicationIsMigratedBrokenAndRolledBack() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("first"));
    Page page = chromium.signIn(slipway);

    Chromium.link(page, "New project").first().click();
    page.getByLabel("Git host", new Page.GetByLabelOptions().setExact(true)).selectOption("folder");
    page.getByLabel("Repository", new Page.GetByLabelOptions().setExact(true))
        .fill(repository.name());
    Chromium.button(page, "Show the plan").click();
    assertThat(page.getByText("npm ci").first()).isVisible(AFTER_A_WHILE);
    assertThat(slipway.api().get("/v1/migrations").toString()).doesNotContain(repository.name());
    page.locator("#project_name").fill("journey");
    page.getByText("Paste a .env file").click();
    page.getByLabel("Contents of a .env file").fill("# of the shop\nGREETING=\"good day\"\n");
    Chromium.button(page, "Take over").click();
    Chromium.button(page, "Build and put live").click();
    page.waitForURL("**/dashboard/migrations/**");

    Locator log = page.locator("[data-log] ol");
    assertThat(log)
        .containsText(
            "Step install", new LocatorAssertions.ContainsTextOptions().setTimeout(LONG_MILLIS));
    assertThat(page.locator("h1 ~ .badge, .title .badge").first())
        .hasText("Done", new LocatorAssertions.HasTextOptions().setTimeout(LONG_MILLIS));
    page.navigate("/dashboard/projects");
    Chromium.link(page, "journey").click();
    String project = page.url().replaceAll(".*/projects/", "").replaceAll("[?#].*", "");
    String host =
        URI.create(slipway.api().get("/v1/projects/" + project).get("url").asText()).getAuthority();
    assertThat(slipway.visit(host, "/").body()).isEqualTo("first good day");

    repository.commit(ExpressApp.program("throw new Error('no such table: plants');"));
    deploy(page);
    assertThat(page.locator("#cause"))
        .containsText(
            "status 1", new LocatorAssertions.ContainsTextOptions().setTimeout(LONG_MILLIS));
    assertThat(log).containsText("no such table: plants");
    assertThat(slipway.visit(host, "/").body()).isEqualTo("first good day");

    repository.commit(ExpressApp.named("second"));
    page.navigate("/dashboard/projects/" + project);
    deploy(page);
    assertThat(page.getByText("Production", new Page.GetByTextOptions().setExact(true)).first())
        .isVisible(AFTER_A_WHILE);
    assertThat(slipway.visit(host, "/").body()).isEqualTo("second good day");

    page.navigate("/dashboard/projects/" + project + "/deployments");
    Locator first =
        page.getByRole(AriaRole.LISTITEM)
            .filter(
                new Locator.FilterOptions()
                    .setHas(
                        page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName(Pattern.compile("Roll back.*")))))
            .last();
    first
        .getByRole(
            AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(Pattern.compile("^Roll back")))
        .first()
        .click();
    Locator dialog = page.locator("dialog[open]");
    assertThat(dialog).containsText("Nothing is built");
    dialog
        .getByRole(
            AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Roll back").setExact(true))
        .click();
    page.waitForURL("**/dashboard/deployments/**");
    assertThat(page.getByText("Production", new Page.GetByTextOptions().setExact(true)).first())
        .isVisible(AFTER_A_WHILE);
    assertThat(slipway.visit(host, "/").body()).isEqualTo("first good day");
  }

  @Test
  void aWebhookIsMadeTriedAndSentAgain() throws IOException {
    try (HostileEndpoint endpoint = HostileEndpoint.start("<b>thanks</b>")) {
      Page page = chromium.signIn(slipway);
      page.navigate("/dashboard/settings/webhooks");
      page.getByLabel("Address").fill(endpoint.url());
      page.getByLabel("Some").check();
      page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Deployments"))
          .getByLabel("Live")
          .check();
      Chromium.button(page, "Add webhook").click();
      Chromium.button(page, "Copy the secret").click();
      assertThat(String.valueOf(page.evaluate("navigator.clipboard.readText()")))
          .startsWith("whsec_");
      Chromium.link(page, endpoint.url()).click();
      assertThat(page.content()).doesNotContain("whsec_");

      Chromium.button(page, "Send a test").click();
      page.waitForURL("**/deliveries/**");
      assertThat(page.locator("#state .badge").first())
          .hasText("Delivered", new LocatorAssertions.HasTextOptions().setTimeout(LONG_MILLIS));
      assertThat(page.getByLabel("Body of answer 1")).hasText("<b>thanks</b>");
      Chromium.button(page, "Send again").click();
      page.waitForURL("**done=redelivered");
      assertThat(page.locator("#state .badge").first())
          .hasText("Delivered", new LocatorAssertions.HasTextOptions().setTimeout(LONG_MILLIS));

      // Other tests' deployments go live meanwhile, once each.
      List<String> ids = List.copyOf(endpoint.ids());
      assertThat(ids)
          .as("sent again with the id that it had")
          .filteredOn(id -> Collections.frequency(ids, id) == 2)
          .hasSize(2);
    }
  }

  @Test
  void aLargeFileOfVariablesIsTakenWhole() {
    App app = slipway.migrate(ExpressApp.named("large"), Map.of());
    StringBuilder file = new StringBuilder("LONG=" + "x".repeat(60_000) + "\n");
    for (int i = 0; i < 300; i++) {
      file.append("NAME_%d=value %d\n".formatted(i, i));
    }
    Page page = chromium.signIn(slipway);
    page.navigate("/dashboard/projects/" + app.project() + "/variables");
    page.locator("#env-paste").evaluate("it => it.closest('details').open = true");
    page.locator("#env-paste").fill(file.toString());
    Chromium.button(page, "Save variables").click();
    page.waitForURL("**done=variables-saved**");

    JsonNode saved =
        slipway.api().get("/v1/projects/" + app.project() + "/env_vars").get("env_vars");
    assertThat(saved.size()).isEqualTo(301);
    assertThat(saved.has("LONG")).isTrue();
    page.navigate("/dashboard/projects/" + app.project() + "/variables");
    assertThat(page.content()).doesNotContain("value 1<");
    Chromium.button(page, "Reveal NAME_1").click();
    Chromium.button(page, "Copy NAME_1").click();
    assertThat(String.valueOf(page.evaluate("navigator.clipboard.readText()")))
        .isEqualTo("value 1");
  }

  private static void deploy(Page page) {
    Chromium.button(page, "Deploy").first().click();
    Locator dialog = page.locator("dialog[open]");
    dialog
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Deploy").setExact(true))
        .click();
    page.waitForURL("**/dashboard/deployments/**");
  }

  private int status(String key) {
    return slipway
        .api()
        .send(
            HttpRequest.newBuilder(slipway.address().resolve("/v1/account"))
                .header("Authorization", "Bearer " + key))
        .status();
  }
}
