package dev.slipway.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.password4j.Argon2Function;
import com.password4j.Password;
import dev.slipway.account.AccountAdministration.MadeAccount;
import dev.slipway.account.AccountAdministration.Summary;
import dev.slipway.core.AccountId;
import dev.slipway.core.ApiKeyId;
import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountAdministrationTest {
  // As exact as what the store keeps.
  private final Clock clock = Clock.tick(Clock.systemUTC(), Duration.ofMillis(1));
  private Database database;
  private AccountAdministration administration;

  @BeforeEach
  void open() {
    database = TestDatabase.fresh();
    AccountStore store = new AccountStore();
    administration =
        new AccountAdministration(database, store, Set.of("free", "pro", "team"), clock);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aNewAccountHasAUserAndAKeyThatOpensIt() {
    MadeAccount made = make("ada@example.org");

    assertThat(opens(made.key().text())).contains(made.account());
    assertThat(administration.list())
        .containsExactly(new Summary(made.account(), List.of("ada@example.org"), 1));
    assertThat(isPassword(made.password().reveal())).isTrue();
  }

  @Test
  void aChosenPasswordIsTaken() {
    administration.create("ada@example.org", "pro", Optional.of(new Secret("difference engine")));

    assertThat(isPassword("difference engine")).isTrue();
  }

  @Test
  void anEmailAddressBelongsToOneUserInWhateverCase() {
    make("ada@example.org");

    assertRefused(() -> make("Ada@Example.ORG"), ErrorCode.CONFLICT, "Ada@Example.ORG");
    assertThat(administration.list()).as("nothing of the second is left").hasSize(1);
  }

  @Test
  void ofTwoWhoMakeAnAccountForOneAddressAtOnceOneDoes() throws Exception {
    assertThat(AtOnce.run(4, () -> isMade("ada@example.org")))
        .containsExactlyInAnyOrder(true, false, false, false);
    assertThat(administration.list()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ada", "ada@", "@example.org", "a b@example.org", "a@b@c", "a@b\n"})
  void whatIsNoEmailAddressIsRefused(String text) {
    assertRefused(() -> make(text), ErrorCode.INVALID_REQUEST, "e-mail");
  }

  @Test
  void aPasswordThatIsTooShortIsRefusedAndNotRepeated() {
    assertThatThrownBy(() ->
            administration.create("ada@example.org", "free", Optional.of(new Secret("secret7"))))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("7 characters")
        .hasMessageNotContaining("secret7");
  }

  @Test
  void anUnknownTierIsRefusedWithTheNearest() {
    MadeAccount made = make("ada@example.org");

    assertRefused(
        () -> administration.create("eve@example.org", "teem", Optional.empty()),
        ErrorCode.INVALID_REQUEST,
        "did you mean team?");
    assertRefused(
        () -> administration.changeTier(made.account().id().value(), "enterprise"),
        ErrorCode.INVALID_REQUEST,
        "there are free, pro, team");
  }

  @Test
  void theTierChangesForTheVeryNextRequest() {
    MadeAccount made = make("ada@example.org");

    assertThat(administration.changeTier("ADA@example.org", "team").tier()).isEqualTo("team");

    assertThat(opens(made.key().text())).map(Account::tier).contains("team");
  }

  @Test
  void aSecondKeyOpensTheSameAccount() {
    MadeAccount made = make("ada@example.org");
    MadeKey second = administration.createKey(made.account().id().value(), "  ci pipeline ");

    assertThat(opens(second.text())).contains(made.account());
    assertThat(administration.keys("ada@example.org"))
        .extracting(ApiKey::id, ApiKey::name, ApiKey::hint, ApiKey::revokedAt)
        .containsExactly(
            tuple(made.key().key().id(), "first key", hint(made.key()), Optional.empty()),
            tuple(second.key().id(), "ci pipeline", hint(second), Optional.empty()));
  }

  @Test
  void aRevokedKeyIsRefusedAtOnceAndOthersAreNot() {
    MadeAccount made = make("ada@example.org");
    MadeKey second = administration.createKey("ada@example.org", "ci");

    assertThat(administration.revoke(made.key().key().id())).isTrue();

    assertThat(opens(made.key().text())).isEmpty();
    assertThat(opens(second.text())).isPresent();
    assertThat(administration.list()).extracting(Summary::keys).containsExactly(1L);
  }

  @Test
  void aKeyThatIsRevokedTwiceKeepsTheFirstTime() {
    ApiKeyId key = make("ada@example.org").key().key().id();
    administration.revoke(key);
    List<ApiKey> before = administration.keys("ada@example.org");

    assertThat(administration.revoke(key)).isFalse();

    assertThat(administration.keys("ada@example.org")).isEqualTo(before);
    assertThat(before.getFirst().revokedAt()).isPresent();
  }

  @Test
  void aNewPasswordReplacesTheOldOne() {
    make("ada@example.org");

    Secret made = administration.setPassword("ADA@example.org", Optional.empty());

    assertThat(isPassword(made.reveal())).isTrue();
  }

  @Test
  void whatIsNotThereIsNamed() {
    String account = AccountId.next().value();
    ApiKeyId key = ApiKeyId.next();

    assertRefused(() -> administration.createKey(account, "ci"), ErrorCode.NOT_FOUND, account);
    assertRefused(() -> administration.keys("eve@example.org"), ErrorCode.NOT_FOUND, "eve@");
    assertRefused(() -> administration.changeTier(account, "pro"), ErrorCode.NOT_FOUND, account);
    assertRefused(() -> administration.revoke(key), ErrorCode.NOT_FOUND, key.value());
    assertRefused(
        () -> administration.setPassword("eve@example.org", Optional.empty()),
        ErrorCode.NOT_FOUND,
        "eve@example.org");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "two\nlines"})
  void aKeyNeedsANameThatPeopleCanRead(String name) {
    make("ada@example.org");

    assertRefused(
        () -> administration.createKey("ada@example.org", name), ErrorCode.INVALID_REQUEST, "name");
  }

  private MadeAccount make(String email) {
    return administration.create(email, "free", Optional.empty());
  }

  /** False where the address has an account. */
  private boolean isMade(String email) {
    try {
      make(email);
      return true;
    } catch (RequestException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
      return false;
    }
  }

  private static String hint(MadeKey made) {
    return made.text().reveal().substring(0, 9) + "…";
  }

  /** Whether the one user there is signs in with it. */
  private boolean isPassword(String text) {
    String hash =
        database.read(
            tx -> tx.createQuery("SELECT password_hash FROM app_user").mapTo(String.class).one());
    return Password.check(text, hash).with(Argon2Function.getInstanceFromHash(hash));
  }

  private static void assertRefused(ThrowingCallable work, ErrorCode code, String hint) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            RequestException.class, refused -> assertThat(refused.code()).isEqualTo(code))
        .hasMessageContaining(hint);
  }

  private Optional<Account> opens(Secret key) {
    return new Callers(database, clock).look(Optional.of(key), "127.0.0.1").account();
  }
}
