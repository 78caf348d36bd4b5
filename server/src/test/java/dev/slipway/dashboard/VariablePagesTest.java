package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.Role;
import dev.slipway.project.Project;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VariablePagesTest {
  private static final String HOSTILE = "<script>alert(1)</script>\"'&\u001b[31m";

  private final DashboardPlace place = new DashboardPlace();

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void valuesAreHiddenUntilOneIsRevealedWhichIsWrittenDown() {
    Project shop = place.plane.project("shop");
    place.api.call(
        "PATCH", api(shop), "{\"env_vars\": {\"TOKEN\": \"hush-1\", \"OTHER\": \"hush-2\"}}");
    DashboardPlace.Browser browser = place.owner();

    assertThat(browser.get(path(shop)).body())
        .contains("GREETING", "TOKEN", "OTHER")
        .doesNotContain("hello", "hush");
    assertThat(audited(shop)).isZero();
    DashboardPlace.Shown revealed = browser.post(path(shop) + "/reveal", Map.of("name", "TOKEN"));
    assertThat(revealed.status()).isEqualTo(200);
    assertThat(revealed.body()).contains("hush-1").doesNotContain("hello", "hush-2");
    assertThat(audited(shop)).isEqualTo(1);
    assertThat(browser.post(path(shop) + "/reveal", Map.of("name", "NONE")).status())
        .isEqualTo(409);
  }

  @Test
  void aScriptIsAnsweredTheRowAlone() {
    Project shop = place.plane.project("in-place");
    DashboardPlace.Browser browser = place.owner();
    DashboardPlace.Shown row =
        browser.send(
            HttpRequest.newBuilder(
                    place.form(
                        path(shop) + "/reveal",
                        Map.of("name", "GREETING", "csrf", browser.token())),
                    (_, _) -> true)
                .header("HX-Request", "true")
                .build());

    assertThat(row.body()).startsWith("<tr id=\"var-GREETING\">").contains("hello");
  }

  @Test
  void rowsAndAPastedFileAreSavedAsTheyWereMeant() {
    Project shop = place.plane.project("saved");
    DashboardPlace.Browser browser = place.owner();
    DashboardPlace.Shown saved =
        save(
            browser,
            shop,
            List.of("GREETING", "hi", "EMPTY", "", "", "", "KEY", "one\r\ntwo "),
            "# local\r\nexport A=\"b c\"\r\n");

    assertThat(saved.location()).isEqualTo("/dashboard" + path(shop) + "?done=variables-saved");
    assertThat(values(shop))
        .isEqualTo(Map.of("GREETING", "hi", "EMPTY", "", "KEY", "one\ntwo ", "A", "b c"));
    assertThat(browser.get(path(shop) + "?done=variables-saved").body())
        .contains("Deploy now", "action=\"/dashboard/projects/" + shop.id() + "/deploy\"");
    assertThat(browser.get(path(shop)).body()).doesNotContain("Deploy now");
  }

  @Test
  void oneIsRemovedAndTheOthersStay() {
    Project shop = place.plane.project("less");
    place.api.call("PATCH", api(shop), "{\"env_vars\": {\"OLD\": \"x\"}}");

    DashboardPlace.Shown removed =
        place.owner().post(path(shop) + "/delete", Map.of("name", "OLD"));
    assertThat(removed.status()).isEqualTo(303);
    assertThat(values(shop)).isEqualTo(Map.of("GREETING", "hello"));
  }

  @Test
  void whatIsRefusedStaysInTheForm() {
    Project shop = place.plane.project("refused");
    DashboardPlace.Browser browser = place.owner();

    DashboardPlace.Shown name = save(browser, shop, List.of("2 BAD", HOSTILE, "GOOD", "kept"), "");
    assertThat(name.status()).isEqualTo(400);
    assertThat(name.text()).contains("That did not work", "must have letters, digits");
    assertThat(name.body())
        .contains("value=\"2 BAD\"", "kept</textarea>")
        .doesNotContain("<script>alert");
    DashboardPlace.Shown file = save(browser, shop, List.of(), "A=1\nnonsense " + HOSTILE);
    assertThat(file.status()).isEqualTo(400);
    assertThat(file.text()).contains("The .env file: line 2 has no =");
    assertThat(file.body())
        .contains("<details class=\"more\" open>", "A=1\nnonsense")
        .doesNotContain("<script>alert");
    DashboardPlace.Shown nameless = save(browser, shop, List.of("", "value"), "");
    assertThat(nameless.text()).contains("A value has no name");
    assertThat(save(browser, shop, List.of("", ""), "").text()).contains("No variable is written");
    assertThat(values(shop)).isEqualTo(Map.of("GREETING", "hello"));
  }

  @Test
  void aRevealedValueIsText() {
    Project shop = place.plane.project("hostile");
    DashboardPlace.Browser browser = place.owner();
    save(browser, shop, List.of("EVIL", HOSTILE), "");

    assertThat(browser.post(path(shop) + "/reveal", Map.of("name", "EVIL")).body())
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
        .doesNotContain("<script>alert");
  }

  @Test
  void manyAreShownInPagesBelowTheLimit() {
    Project shop = place.plane.project("many");
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.addAll(List.of("VARIABLE_WITH_A_LONG_NAME_OF_ITS_OWN_%02d".formatted(i), "x"));
    }
    DashboardPlace.Browser browser = place.owner();
    save(browser, shop, rows, "");

    DashboardPlace.Shown first = browser.get(path(shop));
    assertThat(first.body().getBytes(StandardCharsets.UTF_8).length).isLessThan(100_000);
    assertThat(first.text()).contains("1 to 25 of 61");
    assertThat(first.body()).contains("?from=VARIABLE_WITH_A_LONG_NAME_OF_ITS_OWN_24");
    DashboardPlace.Shown next =
        browser.get(path(shop) + "?from=VARIABLE_WITH_A_LONG_NAME_OF_ITS_OWN_24");
    assertThat(next.text()).contains("26 to 50 of 61");
    assertThat(browser.get(path(shop) + "?from=ZZZ").text()).contains("51 to 61 of 61");
    DashboardPlace.Shown revealed =
        browser.post(
            path(shop) + "/reveal", Map.of("name", "VARIABLE_WITH_A_LONG_NAME_OF_ITS_OWN_30"));
    assertThat(revealed.text()).contains("26 to 50 of 61");
  }

  @Test
  void viewersSeeNamesAndOtherAccountsNothing() {
    Project shop = place.plane.project("looked-at");
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);

    assertThat(viewer.get(path(shop)).body())
        .contains("GREETING")
        .doesNotContain("/reveal", "Add variables", "<dialog");
    assertThat(viewer.post(path(shop) + "/reveal", Map.of("name", "GREETING")).status())
        .isEqualTo(403);
    assertThat(save(viewer, shop, List.of("A", "b"), "").status()).isEqualTo(403);
    DashboardPlace.Browser stranger = place.signedIn(place.plane.addAccount(), Role.OWNER);
    assertThat(stranger.get(path(shop)).status()).isEqualTo(403);
    assertThat(stranger.post(path(shop) + "/reveal", Map.of("name", "GREETING")).status())
        .isEqualTo(403);
    assertThat(save(stranger, shop, List.of("A", "b"), "").status()).isEqualTo(403);
    assertThat(values(shop)).isEqualTo(Map.of("GREETING", "hello"));
  }

  @Test
  void thoseOfPreviewsAreApartFromProductions() {
    Project shop = place.plane.project("apart");
    DashboardPlace.Browser browser = place.owner();
    String previews = path(shop) + "/previews";

    assertThat(browser.get(previews).text())
        .contains("No variables", "never reach previews")
        .doesNotContain("GREETING");
    browser.post(previews, Map.of("env_name", "TEST_KEY", "env_value", "hush-3"));
    assertThat(browser.get(previews + "?done=preview-variables-saved").text())
        .contains("TEST_KEY", "with the next push to its pull request")
        .doesNotContain("GREETING", "Deploy now", "hush-3");
    assertThat(values(shop)).isEqualTo(Map.of("GREETING", "hello"));
    DashboardPlace.Shown revealed = browser.post(previews + "/reveal", Map.of("name", "TEST_KEY"));
    assertThat(revealed.body()).contains("hush-3", "action=\"/dashboard" + previews + "/delete\"");
    assertThat(browser.post(previews + "/reveal", Map.of("name", "GREETING")).status())
        .isEqualTo(409);
    assertThat(browser.post(previews + "/delete", Map.of("name", "TEST_KEY")).location())
        .isEqualTo("/dashboard" + previews + "?done=preview-variables-saved");
    assertThat(browser.get(previews).text()).contains("No variables");
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);
    assertThat(viewer.post(previews + "/reveal", Map.of("name", "X")).status()).isEqualTo(403);
  }

  /** As a browser sends the rows: names and values in turn. */
  private DashboardPlace.Shown save(
      DashboardPlace.Browser browser, Project project, List<String> rows, String pasted) {
    StringBuilder body = new StringBuilder("csrf=" + browser.token());
    for (int i = 0; i < rows.size(); i += 2) {
      body.append("&env_name=").append(encoded(rows.get(i)));
      body.append("&env_value=").append(encoded(rows.get(i + 1)));
    }
    body.append("&env_paste=").append(encoded(pasted));
    return browser.send(
        HttpRequest.newBuilder(place.form(path(project), Map.of()), (_, _) -> true)
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Map<String, String> values(Project project) {
    JsonNode read = place.api.get(api(project) + "?reveal=true").data().get("env_vars");
    return read.properties().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().textValue()));
  }

  private int audited(Project project) {
    return place.plane.database.read(tx ->
        tx.createQuery(
                "SELECT count(*) FROM audit WHERE action = 'env_vars.reveal' AND subject = ? AND user_id IS NOT NULL")
            .bind(0, project.id().value())
            .mapTo(Integer.class)
            .one());
  }

  private static String path(Project project) {
    return "/projects/" + project.id() + "/variables";
  }

  private static String api(Project project) {
    return "/v1/projects/" + project.id() + "/env_vars";
  }
}
