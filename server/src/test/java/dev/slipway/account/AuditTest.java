package dev.slipway.account;

import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.slipway.account.AccountAdministration.MadeAccount;
import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AuditTest {
  private final AccountPlace place = new AccountPlace();
  private final Audit audit = place.audit;
  private final MadeAccount made = place.account("ada@example.org");
  private final AccountId account = made.account().id();
  private final Actor key = new Actor.Key(made.key().text());

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void anEntrySaysWhoDidWhatToWhatAndWhen() {
    Instant first = place.clock.instant();
    SignedIn ada = place.signIn("ada@example.org");
    place.clock.advance(Duration.ofMinutes(1));
    audit.write(account, new Actor.User(ada), "env_vars.reveal", "prj_1", "3 variables");
    audit.write(account, key, "database.drop", "dbp_1", "");

    assertThat(audit.list(account, Optional.empty(), 10))
        .extracting(
            AuditEntry::at,
            AuditEntry::actor,
            AuditEntry::byKey,
            AuditEntry::action,
            AuditEntry::subject,
            AuditEntry::detail)
        .containsExactly(
            tuple(place.clock.instant(), "first key", true, "database.drop", "dbp_1", ""),
            tuple(
                place.clock.instant(),
                "ada@example.org",
                false,
                "env_vars.reveal",
                "prj_1",
                "3 variables"),
            tuple(
                first,
                "ada@example.org",
                false,
                "session.sign_in",
                ada.session().value(),
                "10.0.0.1"));
  }

  @Test
  void pagesFollowEachOtherWithoutGapOrOverlap() {
    for (int i = 0; i < 5; i++) {
      audit.write(account, key, "env_vars.reveal", "prj_" + i, "");
    }

    List<AuditEntry> page = audit.list(account, Optional.empty(), 3);
    List<AuditEntry> next = audit.list(account, Optional.of(page.getLast().id()), 3);

    assertThat(page).extracting(AuditEntry::subject).containsExactly("prj_4", "prj_3", "prj_2");
    assertThat(next).extracting(AuditEntry::subject).containsExactly("prj_1", "prj_0");
  }

  @Test
  void nobodySeesTheEntriesOfAnotherAccount() {
    AccountId other = place.account("eve@example.org").account().id();
    audit.write(account, key, "env_vars.reveal", "prj_1", "");

    assertThat(audit.list(other, Optional.empty(), 10)).isEmpty();
    assertThat(audit.first(other, List.of("prj_1"))).isEmpty();
  }

  @Test
  void nobodyWritesIntoTheLogOfAnotherAccount() {
    MadeAccount eve = place.account("eve@example.org");

    assertRefused(
        () -> audit.write(account, new Actor.Key(eve.key().text()), "a.b", "prj_1", ""),
        ErrorCode.UNAUTHORIZED,
        "API key");
    SignedIn signedIn = place.signIn("eve@example.org");
    assertRefused(
        () -> audit.write(account, new Actor.User(signedIn), "a.b", "prj_1", ""),
        ErrorCode.UNAUTHORIZED,
        "sign in");
    assertThat(place.entries(account)).isEmpty();
  }

  @Test
  void whatWasWrittenOfAUserOrAKeyIsThereWhenTheyAreNot() {
    place.user(account, "bob@example.org", Role.MEMBER);
    SignedIn bob = place.signIn("bob@example.org");
    audit.write(account, new Actor.User(bob), "env_vars.reveal", "prj_1", "");
    SignedIn ada = place.signIn("ada@example.org");
    place.users.remove(ada, bob.user());

    assertThat(audit.first(account, List.of("prj_1")))
        .extractingByKey("prj_1")
        .extracting(AuditEntry::actor)
        .isEqualTo("bob@example.org");
  }

  @Test
  void ofEachSubjectTheFirstEntrySaysWhoAskedForIt() {
    audit.write(account, key, "deployment.create", "dep_1", "");
    SignedIn ada = place.signIn("ada@example.org");
    audit.write(account, new Actor.User(ada), "deployment.cancel", "dep_1", "");
    audit.write(account, new Actor.User(ada), "deployment.create", "dep_2", "");

    Map<String, AuditEntry> found = audit.first(account, List.of("dep_1", "dep_2", "dep_3"));

    assertThat(found).containsOnlyKeys("dep_1", "dep_2");
    assertThat(found)
        .extractingByKey("dep_1")
        .extracting(AuditEntry::actor, AuditEntry::action)
        .containsExactly("first key", "deployment.create");
    assertThat(found)
        .extractingByKey("dep_2")
        .extracting(AuditEntry::actor)
        .isEqualTo("ada@example.org");
    assertThat(audit.first(account, List.of())).isEmpty();
  }

  @Test
  void aRevokedKeyWritesNothing() {
    place.administration.revoke(made.key().key().id());

    assertRefused(
        () -> audit.write(account, key, "env_vars.reveal", "prj_1", ""),
        ErrorCode.UNAUTHORIZED,
        "revoked");
    assertRefused(
        () -> audit.write(account, new Actor.Key(new Secret("nobody's")), "a.b", "prj_1", ""),
        ErrorCode.UNAUTHORIZED,
        "unknown");
    assertThat(place.entries(account)).isEmpty();
  }
}
