package dev.slipway.account;

import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.slipway.account.AccountAdministration.MadeAccount;
import dev.slipway.core.ApiKeyId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTest {
  private static final String ADA = "ada@example.org";
  private static final String BOB = "bob@example.org";

  private final AccountPlace place = new AccountPlace();
  private final ApiKeys keys = place.keys;
  private final Callers callers = new Callers(place.database, place.clock);
  private final MadeAccount made = place.account(ADA);
  private final SignedIn ada = place.signIn(ADA);

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void aKeyThatIsMadeOpensTheAccountAtOnce() {
    MadeKey key = keys.create(ada, "  ci pipeline ");

    assertThat(keys.list(ada)).extracting(ApiKey::name).containsExactly("first key", "ci pipeline");
    assertThat(keys.list(ada)).contains(key.key());
    assertThat(opens(key.text())).contains(made.account());
  }

  @Test
  void theListSaysWhenAKeyWasUsedAndRevoked() {
    MadeKey key = keys.create(ada, "ci");
    place.clock.advance(Duration.ofHours(1));
    Instant used = place.clock.instant();
    callers.count(Optional.of(key.text()), "10.0.0.9");
    place.clock.advance(Duration.ofHours(1));

    keys.revoke(ada, key.key().id());

    assertThat(opens(key.text())).isEmpty();
    assertThat(keys.list(ada))
        .extracting(ApiKey::lastUsedAt, ApiKey::revokedAt)
        .containsExactly(
            tuple(Optional.empty(), Optional.empty()),
            tuple(Optional.of(used), Optional.of(place.clock.instant())));
  }

  @Test
  void aKeyThatIsRevokedTwiceKeepsTheFirstTimeAndIsWrittenDownOnce() {
    ApiKeyId key = made.key().key().id();
    keys.revoke(ada, key);
    List<ApiKey> before = keys.list(ada);
    place.clock.advance(Duration.ofHours(1));

    keys.revoke(ada, key);

    assertThat(keys.list(ada)).isEqualTo(before);
    assertThat(place.entries(made.account().id()))
        .filteredOn(entry -> entry.action().equals("api_key.revoke"))
        .hasSize(1);
  }

  @Test
  void keysThatAreMadeAndRevokedAreInTheAuditLog() {
    ApiKeyId key = keys.create(ada, "ci").key().id();
    keys.revoke(ada, key);

    assertThat(place.entries(made.account().id()))
        .extracting(AuditEntry::actor, AuditEntry::action, AuditEntry::subject, AuditEntry::detail)
        .endsWith(
            tuple(ADA, "api_key.create", key.value(), "ci"),
            tuple(ADA, "api_key.revoke", key.value(), "ci"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Role.class,
      names = {"MEMBER", "VIEWER"})
  void onlyOwnersHaveToDoWithKeys(Role role) {
    place.user(made.account().id(), BOB, role);
    SignedIn bob = place.signIn(BOB);

    assertRefused(() -> keys.list(bob), ErrorCode.FORBIDDEN, "owner");
    assertRefused(() -> keys.create(bob, "ci"), ErrorCode.FORBIDDEN, "owner");
    assertRefused(() -> keys.revoke(bob, made.key().key().id()), ErrorCode.FORBIDDEN, "owner");
    assertThat(opens(made.key().text())).isPresent();
  }

  @Test
  void keysOfAnotherAccountAreOutOfReach() {
    MadeAccount other = place.account(BOB);
    ApiKeyId theirs = other.key().key().id();
    ApiKeyId nobodys = ApiKeyId.next();

    assertRefused(() -> keys.revoke(ada, theirs), ErrorCode.FORBIDDEN, theirs.value());
    assertRefused(() -> keys.revoke(ada, nobodys), ErrorCode.NOT_FOUND, nobodys.value());
    assertThat(opens(other.key().text())).isPresent();
    assertThat(keys.list(ada)).extracting(ApiKey::id).doesNotContain(theirs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "two\nlines"})
  void aKeyNeedsANameThatPeopleCanRead(String name) {
    assertRefused(() -> keys.create(ada, name), ErrorCode.INVALID_REQUEST, "name");
  }

  private Optional<Account> opens(Secret key) {
    return callers.look(Optional.of(key), "10.0.0.9").account();
  }
}
