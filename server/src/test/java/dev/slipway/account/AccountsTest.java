package dev.slipway.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AccountId;
import dev.slipway.core.AtOnce;
import dev.slipway.core.Secret;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AccountsTest {
  private Database database;
  private Accounts accounts;

  @BeforeEach
  void open() {
    database = TestDatabase.fresh();
    accounts = new Accounts(database, new AccountStore(), Clock.systemUTC());
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void theFirstStartMakesAnAccountWithAKeyThatOpensIt() {
    Accounts.Credentials made = accounts.bootstrap(nothingGiven()).orElseThrow();

    Account account = opens(made.apiKey()).orElseThrow();
    assertThat(account.tier()).isEqualTo("free");
    assertThat(accounts.isFirst(account.id())).isTrue();
    assertThat(accounts.isFirst(AccountId.next())).isFalse();
  }

  @Test
  void theSecondStartMakesNothing() {
    Accounts.Credentials made = accounts.bootstrap(nothingGiven()).orElseThrow();

    assertThat(accounts.bootstrap(nothingGiven())).isEmpty();
    assertThat(opens(made.apiKey())).isPresent();
  }

  @Test
  void twoReplicasThatStartAtOnceMakeOneAccount() throws Exception {
    assertThat(AtOnce.run(4, () -> accounts.bootstrap(nothingGiven())))
        .filteredOn(Optional::isPresent)
        .hasSize(1);
    assertThat(count("account")).isEqualTo(1);
    assertThat(count("api_key")).isEqualTo(1);
  }

  @Test
  void aKeyThatIsGivenIsTakenAsItIs() {
    Secret key = new Secret("the operator's own key, 32 or more");
    accounts.bootstrap(
        new Accounts.Bootstrap("ada@example.com", Optional.empty(), Optional.of(key), "team"));

    assertThat(opens(key)).map(Account::tier).contains("team");
  }

  @Test
  void aGivenKeyThatIsAMistypedOneOfOursIsRefused() {
    // Any but the right last digit of the checksum.
    String right = ApiKeyText.generate().reveal();
    String last = right.endsWith("0") ? "1" : "0";
    Secret key = new Secret(right.substring(0, right.length() - 1) + last);

    assertThatThrownBy(() ->
            accounts.bootstrap(
                new Accounts.Bootstrap(
                    "ada@example.com", Optional.empty(), Optional.of(key), "free")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("bootstrap.api_key")
        .hasMessageNotContaining(key.reveal());
    assertThat(accounts.exist()).isFalse();
  }

  @Test
  void anUnknownAndAMistypedKeyOpenNothing() {
    String key = accounts.bootstrap(nothingGiven()).orElseThrow().apiKey().reveal();

    assertThat(opens(ApiKeyText.generate())).isEmpty();
    assertThat(opens(new Secret(key + "x"))).isEmpty();
    assertThat(opens(new Secret(key.substring(0, key.length() - 1)))).isEmpty();
    assertThat(opens(new Secret(key.toLowerCase(Locale.ROOT)))).isEmpty();
  }

  @Test
  void aRevokedKeyOpensNothing() {
    Secret key = accounts.bootstrap(nothingGiven()).orElseThrow().apiKey();
    database.useTransaction(tx -> tx.execute("UPDATE api_key SET revoked_at = now()"));

    assertThat(opens(key)).isEmpty();
  }

  @Test
  void neitherKeyNorPasswordIsInTheStore() {
    Accounts.Credentials made = accounts.bootstrap(nothingGiven()).orElseThrow();

    String stored =
        database.read(tx ->
            tx.createQuery(
                    "SELECT (SELECT string_agg(k::text, ' ') FROM api_key k)"
                        + " || (SELECT string_agg(u::text, ' ') FROM app_user u)")
                .mapTo(String.class)
                .one());
    assertThat(stored)
        .contains("$argon2id$v=19$m=19456,t=2,p=1$")
        .doesNotContain(made.apiKey().reveal().substring(10))
        .doesNotContain(made.password().reveal());
    byte[] hash =
        database.read(tx -> tx.createQuery("SELECT hash FROM api_key").mapTo(byte[].class).one());
    assertThat(hash)
        .hasSize(32)
        .isNotEqualTo(made.apiKey().reveal().getBytes(StandardCharsets.UTF_8));
  }

  private static Accounts.Bootstrap nothingGiven() {
    return new Accounts.Bootstrap("owner@localhost", Optional.empty(), Optional.empty(), "free");
  }

  private int count(String table) {
    return database.read(
        tx -> tx.createQuery("SELECT count(*) FROM " + table).mapTo(Integer.class).one());
  }

  private Optional<Account> opens(Secret key) {
    return new Callers(database, Clock.systemUTC()).look(Optional.of(key), "127.0.0.1").account();
  }
}
