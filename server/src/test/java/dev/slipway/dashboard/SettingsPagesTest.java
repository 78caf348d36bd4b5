package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Actor;
import dev.slipway.account.Audit;
import dev.slipway.account.Role;
import dev.slipway.core.AccountId;
import dev.slipway.core.Secret;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SettingsPagesTest {
  private static final DashboardPlace PLACE = new DashboardPlace();
  private static final Pattern OLDER = Pattern.compile("href=\"/dashboard([^\"]+)\" rel=\"next\"");

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void theUseOfTheLimitsIsShownAndPolledAsAPart() {
    Browser browser = PLACE.signedIn(PLACE.plane.account, Role.VIEWER);
    PLACE.api.get("/v1/account");

    Shown page = browser.get("/settings/usage");
    Shown part = browser.get("/settings/usage/bars");

    assertThat(page.text()).contains("1 of 30", "0 of 100", "Projects", "free");
    assertThat(part.text()).contains("API requests in this minute", "1 of 30");
    assertThat(part.body()).doesNotContain("<html").contains("<rect width=\"3.3\"");
  }

  @Test
  void gitHostsSayWhatTheAccountCanRead() {
    assertThat(PLACE.owner().get("/settings/git").text())
        .contains("github", "https://github.com", "private ones");
    assertThat(PLACE.signedIn(PLACE.plane.addAccount(), Role.OWNER).get("/settings/git").text())
        .contains("Public repositories")
        .doesNotContain("private ones by");
  }

  @Test
  void theServerSaysWhatItIsAndWhatItsIsolationMeans() {
    Shown page = PLACE.signedIn(PLACE.plane.account, Role.VIEWER).get("/settings/server");

    assertThat(page.text())
        .contains("1.2.3", "own user, a test", "Each program and each build runs as a user")
        .contains("reach what listens on its loopback; install bubblewrap.")
        .contains("Running programs share the host's network")
        .contains("512 MiB", "8 GiB", "6,000", "Yours", "eu-west-1")
        .containsPattern("[0-9.]+ [GT]B of [0-9.]+ [GT]B used");
    assertThat(page.body()).doesNotContain(PLACE.plane.directory.toString());
  }

  @Test
  void theAuditLogSaysInWordsWhoDidWhat() {
    AccountId account = PLACE.plane.addAccount();
    Browser owner = PLACE.signedIn(account, Role.OWNER);
    Actor key = new Actor.Key(new Secret(PLACE.api.addKey(account)));
    Audit audit = new Audit(PLACE.plane.database, PLACE.plane.clock);
    String deployment = "dep_" + "0".repeat(26);
    audit.write(account, key, "triggerDeployment", deployment, "");
    audit.write(account, key, "api_key.create", "key_1", "<i>name</i>");

    Shown page = owner.get("/settings/audit");

    assertThat(page.text())
        .contains("Deployed", "API key test", "Made an API key <i>name</i>", "Signed in");
    assertThat(page.body())
        .contains("href=\"/dashboard/deployments/" + deployment + "\"")
        .doesNotContain("<i>name");
  }

  @Test
  void theAuditLogIsPagedToItsEnd() {
    AccountId account = PLACE.plane.addAccount();
    Browser owner = PLACE.signedIn(account, Role.OWNER);
    Actor key = new Actor.Key(new Secret(PLACE.api.addKey(account)));
    Audit audit = new Audit(PLACE.plane.database, PLACE.plane.clock);
    for (int i = 0; i < 60; i++) {
      audit.write(account, key, "env_vars.reveal", "subject-" + i, "");
    }

    Shown newest = owner.get("/settings/audit");
    assertThat(newest.text()).contains("subject-59").doesNotContain("subject-5 ");
    assertThat(newest.body()).doesNotContain("rel=\"prev\"");
    assertThat(newest.body().length()).isLessThan(100_000);
    Matcher older = OLDER.matcher(newest.body());
    assertThat(older.find()).isTrue();
    Shown last = owner.get(older.group(1));

    assertThat(last.text()).contains("subject-0", "Signed in").doesNotContain("Older");
    assertThat(last.body()).contains("rel=\"prev\"");
    assertThat(owner.get("/settings/audit?before=x").text()).contains("subject-59");
  }

  @Test
  void onlyOwnersReadTheAuditLogOfTheirOwnAccount() {
    Browser member = PLACE.signedIn(PLACE.plane.account, Role.MEMBER);

    assertThat(member.get("/settings/audit").status()).isEqualTo(403);
  }
}
