package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.Role;
import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.TestAuthority;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DomainPagesTest {
  private static final String NAME = "www.example.org";

  private final DashboardPlace place = new DashboardPlace();
  private final Project shop = place.plane.project("shop");
  private final String path = "/projects/" + shop.id() + "/domains";

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void aDomainThatIsAddedShowsTheRecordsToSetAndFollowsItsDns() {
    DashboardPlace.Browser browser = place.owner();
    assertThat(browser.get(path).text()).contains("No domains of your own", "shop.localhost");

    assertThat(browser.post(path, Map.of("name", NAME)).location())
        .isEqualTo("/dashboard" + path + "?done=domain-added");
    place.plane.main.jobs.runDue();
    DashboardPlace.Shown pending = browser.get(path);
    assertThat(pending.text())
        .contains("Pending", "DNS not set", "No certificate yet", "set a CNAME to shop.localhost")
        .contains("CNAME " + NAME + " shop.localhost", "TXT");
    assertThat(pending.body()).contains("hx-trigger=\"every 20s\"");

    place.plane.dns.alias(NAME, "shop.localhost");
    place.plane.clock.advance(Duration.ofSeconds(10));
    place.plane.main.jobs.runDue();
    DashboardPlace.Shown news = browser.get(path + "/" + id() + "/state");
    assertThat(news.text()).contains("DNS points here", "Active");
    assertThat(news.body()).contains("hx-swap-oob=\"true\"", "No certificate yet", "every 20s");
    assertThat(browser.get(path).text()).contains("Active").doesNotContain("DNS not set");
  }

  @Test
  void whereDnsHasLeftAnActiveDomainItIsSaidAndFollowed() {
    DashboardPlace.Browser browser = place.owner();
    browser.post(path, Map.of("name", NAME));
    place.plane.dns.alias(NAME, "shop.localhost");
    place.plane.main.jobs.runDue();
    assertThat(browser.get(path).text()).contains("DNS points here");

    place.plane.database.useTransaction(tx ->
        tx.execute("UPDATE domain SET problem = 'It leads to elsewhere.' WHERE name = ?", NAME));
    DashboardPlace.Shown page = browser.get(path);
    assertThat(page.text())
        .contains("Active", "DNS has a problem", "It leads to elsewhere.")
        .doesNotContain("DNS points here");
    assertThat(page.body()).contains("<span class=\"badge warn\">Active</span>", "every 20s");

    place.plane.database.useTransaction(
        tx -> tx.execute("UPDATE domain SET status = 'FAILED' WHERE name = ?", NAME));
    assertThat(browser.get(path).body()).contains("DNS not set", "every 60s");
  }

  @Test
  void aNameThatIsRefusedStaysInTheField() {
    DashboardPlace.Shown refused =
        place.owner().post(path, Map.of("name", "<script>alert(1)</script>\""));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("That did not work");
    assertThat(refused.body()).contains("value=\"&lt;script").doesNotContain("<script>alert");
  }

  @Test
  void aDomainIsRemoved() {
    DashboardPlace.Browser browser = place.owner();
    browser.post(path, Map.of("name", NAME));

    assertThat(browser.get(path).text()).contains("Delete " + NAME + "?");
    assertThat(browser.post(path + "/" + id() + "/delete", Map.of()).location())
        .endsWith("?done=domain-removed");
    assertThat(place.api.get("/v1" + path).data()).isEmpty();
  }

  @Test
  void aCertificateIsSavedShownAndDeletedAndItsKeyIsNeverShown() {
    HostCertificate own = new TestAuthority().issue(NAME);
    place.plane.clock.advance(
        Duration.between(
                place.plane.clock.instant(), own.chain().getFirst().getNotBefore().toInstant())
            .plusSeconds(60));
    DashboardPlace.Browser browser = place.owner();
    browser.post(path, Map.of("name", NAME));
    String domain = path + "/" + id();
    String chain = TestAuthority.pem(own.chain());
    String key = TestAuthority.pem("PRIVATE KEY", own.key().getEncoded());

    DashboardPlace.Shown refused =
        browser.post(
            domain + "/certificate", Map.of("certificate", chain, "private_key", "hush-hush"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body())
        .contains("<details class=\"more\" open>", chain.lines().toList().get(1))
        .doesNotContain("hush-hush");
    assertThat(
            browser
                .post(
                    domain + "/certificate",
                    Map.of(
                        "certificate",
                        chain.replace("\n", "\r\n"),
                        "private_key",
                        key.replace("\n", "\r\n")))
                .location())
        .endsWith("?done=certificate-saved");
    DashboardPlace.Shown page = browser.get(path);
    assertThat(page.text()).contains("by Test Authority, uploaded, expires", "Delete certificate");
    assertThat(page.body()).doesNotContain(key.lines().toList().get(1));

    assertThat(browser.post(domain + "/certificate/delete", Map.of()).location())
        .endsWith("?done=certificate-removed");
    assertThat(browser.get(path).text())
        .contains("No certificate yet")
        .doesNotContain("Delete certificate");
  }

  @Test
  void asManyAsAnAccountMayHaveAreBelowTheLimit() {
    DashboardPlace.Browser browser = place.owner();
    for (int i = 0; i < 5; i++) {
      browser.post(path, Map.of("name", "a-long-name-of-a-host-%d.example.org".formatted(i)));
    }

    DashboardPlace.Shown page = browser.get(path);
    assertThat(page.text()).contains("a-long-name-of-a-host-0", "a-long-name-of-a-host-4");
    assertThat(page.body().getBytes(StandardCharsets.UTF_8).length).isLessThan(50_000);
  }

  @Test
  void viewersLookAndOtherAccountsSeeNothing() {
    place.owner().post(path, Map.of("name", NAME));
    String domain = path + "/" + id();
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);

    assertThat(viewer.get(path).text()).contains(NAME, "CNAME").doesNotContain("Add a domain");
    assertThat(viewer.get(path).body()).doesNotContain("<dialog", "private_key");
    DashboardPlace.Browser stranger = place.signedIn(place.plane.addAccount(), Role.OWNER);
    assertThat(stranger.get(path).status()).isEqualTo(403);
    assertThat(stranger.get(domain + "/state").status()).isEqualTo(403);
    for (DashboardPlace.Browser each : new DashboardPlace.Browser[] {viewer, stranger}) {
      assertThat(each.post(path, Map.of("name", "x.example.org")).status()).isEqualTo(403);
      assertThat(each.post(domain + "/delete", Map.of()).status()).isEqualTo(403);
      assertThat(each.post(domain + "/certificate/delete", Map.of()).status()).isEqualTo(403);
    }
    assertThat(place.api.get("/v1" + path).data()).hasSize(1);
  }

  private String id() {
    JsonNode domains = place.api.get("/v1" + path).data();
    return domains.get(0).get("id").asText();
  }
}
