package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Beside a server that runs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminCommandTest {
  private final AdminPlace place = new AdminPlace();

  @BeforeAll
  void start() {
    place.startServer();
  }

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void theKeyOfANewAccountOpensItUntilItIsRevoked() {
    JsonNode made = create("ada@example.org");
    String key = made.get("api_key").asText();
    assertThat(place.statusWith(key)).isEqualTo(200);

    AdminPlace.Result revoked = place.admin("key", "revoke", made.get("key_id").asText());

    assertThat(revoked.status()).isZero();
    assertThat(revoked.out()).contains("opens nothing");
    assertThat(place.statusWith(key)).isEqualTo(401);
    assertThat(place.admin("key", "revoke", made.get("key_id").asText()).out())
        .contains("was revoked before");
  }

  @Test
  void aPersonIsShownWhatIsMadeUpOnce() {
    AdminPlace.Result made = place.admin("account", "create", "--email", "bob@example.org");

    assertThat(made.status()).isZero();
    assertThat(made.out()).contains("not shown again", "bob@example.org", "password", "slip_");
    String key = made.out().lines().filter(it -> it.contains("slip_")).findFirst().orElseThrow();
    assertThat(place.admin("key", "list", "--account", "bob@example.org").out())
        .contains("first key")
        .doesNotContain(key.substring(key.indexOf("slip_")));
  }

  @Test
  void aPasswordIsReadFromStandardInputAndNotPrinted() {
    AdminPlace.Result made =
        place.adminWithInput(
            "correct horse\n",
            "account",
            "create",
            "--email",
            "cy@example.org",
            "--password-stdin");
    AdminPlace.Result changed =
        place.adminWithInput(
            "battery staple", "user", "password", "--email", "cy@example.org", "--password-stdin");

    assertThat(made.status()).isZero();
    assertThat(made.out()).doesNotContain("correct horse");
    assertThat(changed.status()).isZero();
    assertThat(changed.out()).contains("cy@example.org").doesNotContain("battery staple");
    assertThat(
            place
                .adminWithInput(
                    "", "user", "password", "--email", "cy@example.org", "--password-stdin")
                .err())
        .contains("standard input is empty");
  }

  @Test
  void scriptsReadTheListsAsJson() {
    JsonNode made = create("dan@example.org");
    String account = made.get("account_id").asText();
    JsonNode second =
        place.admin("key", "create", "--account", account, "--name", "ci", "--json").json();

    JsonNode keys = place.admin("key", "list", "--account", account, "--json").json();
    JsonNode accounts = place.admin("account", "list", "--json").json();

    assertThat(place.statusWith(second.get("api_key").asText())).isEqualTo(200);
    assertThat(keys.findValuesAsText("name")).containsExactly("first key", "ci");
    assertThat(keys.get(1).get("key_id")).isEqualTo(second.get("key_id"));
    assertThat(keys.get(1).get("created_at").asText()).endsWith("Z");
    assertThat(keys.get(1).has("revoked_at")).isFalse();
    assertThat(accounts.findValuesAsText("account_id")).contains(account);
    assertThat(accounts.get(0).get("emails").get(0).asText()).isEqualTo("owner@example.org");
  }

  @Test
  void theTierIsOneOfTheConfiguration() {
    String account = create("eve@example.org").get("account_id").asText();

    assertThat(
            place.admin("account", "tier", account, "team", "--json").json().get("tier").asText())
        .isEqualTo("team");
    AdminPlace.Result refused = place.admin("account", "tier", account, "teem");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualToIgnoringNewLines("slipway: There is no tier teem; did you mean team?");
  }

  @Test
  void whatCannotBeDoneIsASentenceAndStatus1() {
    create("fay@example.org");

    assertRefused("already", "account", "create", "--email", "FAY@example.org");
    assertRefused("e-mail", "account", "create", "--email", "fay");
    assertRefused("acc_none", "key", "list", "--account", "acc_none");
    assertRefused("key_none", "key", "revoke", "key_none");
    assertRefused("nobody@", "user", "password", "--email", "nobody@example.org");
  }

  @Test
  void aCommandLineThatIsWrongIsStatus2() {
    assertThat(place.admin("key", "create", "--name", "ci").status()).isEqualTo(2);
    assertThat(AdminPlace.run(List.of("admin", "key")).status()).isEqualTo(2);
    assertThat(AdminPlace.run(List.of("admin", "key")).err()).contains("revoke");
  }

  @Test
  void aNewPasswordIsMadeUpAndShownOnce() {
    create("gil@example.org");

    JsonNode set = place.admin("user", "password", "--email", "gil@example.org", "--json").json();

    assertThat(set.get("password").asText()).hasSize(20);
  }

  private JsonNode create(String email) {
    return place.admin("account", "create", "--email", email, "--tier", "free", "--json").json();
  }

  private void assertRefused(String hint, String... arguments) {
    AdminPlace.Result result = place.admin(arguments);
    assertThat(result.status()).as(result.out()).isEqualTo(1);
    assertThat(result.err()).startsWith("slipway: ").contains(hint).hasLineCount(1);
    assertThat(result.out()).isEmpty();
  }
}
