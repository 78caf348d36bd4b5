package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.ApiKeyId;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class KeyPagesTest {
  private static final DashboardPlace PLACE = new DashboardPlace();
  private static final Pattern KEY = Pattern.compile("data-copy=\"(slip_[0-9A-Za-z]{38})\"");
  private static final Pattern REVOKE = Pattern.compile("(/settings/keys/key_[0-9a-z]+/revoke)");

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void aKeyThatIsMadeIsShownOnceAndOpensTheApiUntilItIsRevoked() {
    Browser owner = ownerOfAnotherAccount();
    assertThat(owner.get("/settings/keys").text()).contains("No keys");

    Shown made = owner.post("/settings/keys", Map.of("name", "ci"));

    assertThat(made.status()).isEqualTo(200);
    assertThat(made.text()).contains("The key “ci” is made", "Copy it now.");
    Matcher key = KEY.matcher(made.body());
    assertThat(key.find()).isTrue();
    assertThat(made.body()).contains("Authorization: Bearer " + key.group(1));
    assertThat(PLACE.api.statusWith(key.group(1), "/v1/account")).isEqualTo(200);
    Shown list = owner.get("/settings/keys");
    assertThat(list.body()).doesNotContain(key.group(1));
    assertThat(list.text()).contains(key.group(1).substring(0, 9) + "…", "owner-");
    Matcher revoke = REVOKE.matcher(list.body());
    assertThat(revoke.find()).isTrue();

    assertThat(owner.post(revoke.group(1), Map.of()).location())
        .isEqualTo("/dashboard/settings/keys?done=key-revoked");

    assertThat(PLACE.api.statusWith(key.group(1), "/v1/account")).isEqualTo(401);
    assertThat(owner.get("/settings/keys").text()).contains("Revoked");
  }

  @Test
  void aNameThatIsRefusedIsStillInTheForm() {
    Browser owner = PLACE.owner();
    owner.get("/settings/keys");

    Shown refused = owner.post("/settings/keys", Map.of("name", "\"><b>" + "x".repeat(100)));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("1 to 100 characters");
    assertThat(refused.body()).contains("value=\"&#34;>").doesNotContain("\"><b>xxx");
    assertThat(refused.body()).doesNotContain("data-copy=\"slip_");
  }

  @Test
  void aNameWithMarkupIsShownAsText() {
    Browser owner = ownerOfAnotherAccount();
    owner.get("/settings/keys");
    owner.post("/settings/keys", Map.of("name", "<img src=x onerror=alert(1)>"));

    Shown list = owner.get("/settings/keys");

    assertThat(list.body()).doesNotContain("<img src=x");
    assertThat(list.text()).contains("<img src=x onerror=alert(1)>");
  }

  @Test
  void onlyOwnersSeeAndMakeKeys() {
    for (Role role : new Role[] {Role.MEMBER, Role.VIEWER}) {
      Browser browser = PLACE.signedIn(PLACE.plane.account, role);
      browser.get("/settings");

      assertThat(browser.get("/settings/keys").status()).isEqualTo(403);
      assertThat(browser.post("/settings/keys", Map.of("name", "ci")).status()).isEqualTo(403);
    }
  }

  @Test
  void aKeyOfAnotherAccountIsForbiddenAndAnUnknownOneIsNotThere() {
    Browser owner = ownerOfAnotherAccount();
    owner.get("/settings/keys");
    String theirs =
        PLACE.plane.database.read(tx ->
            tx.createQuery("SELECT id FROM api_key WHERE account_id = ? LIMIT 1")
                .bind(0, PLACE.plane.account.value())
                .mapTo(String.class)
                .one());

    assertThat(owner.post("/settings/keys/%s/revoke".formatted(theirs), Map.of()).status())
        .isEqualTo(403);
    assertThat(owner.post("/settings/keys/%s/revoke".formatted(ApiKeyId.next()), Map.of()).status())
        .isEqualTo(404);
  }

  @Test
  void manyKeysStandOnPagesThoseThatOpenSomethingFirst() {
    Browser owner = ownerOfAnotherAccount();
    assertThat(owner.get("/settings/keys").status()).isEqualTo(200);
    for (int i = 0; i < 26; i++) {
      owner.post("/settings/keys", Map.of("name", "key-%02d-".formatted(i)));
    }
    Shown first = owner.get("/settings/keys");
    Matcher newest = REVOKE.matcher(first.body());
    assertThat(newest.find()).isTrue();
    owner.post(newest.group(1), Map.of());

    Shown all = owner.get("/settings/keys");
    assertThat(all.text()).contains("key-00-", "key-24-").doesNotContain("key-25-");
    assertThat(all.body()).contains("/dashboard/settings/keys?from=25").doesNotContain("Revoked<");
    Shown older = owner.get("/settings/keys?from=25");
    assertThat(older.text()).contains("key-25-", "Revoked").doesNotContain("key-24-");
    assertThat(owner.get("/settings/keys?from=-1").text()).contains("key-24-");
  }

  private static Browser ownerOfAnotherAccount() {
    return PLACE.signedIn(PLACE.plane.addAccount(), Role.OWNER);
  }
}
