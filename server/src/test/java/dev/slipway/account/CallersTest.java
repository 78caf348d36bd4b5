package dev.slipway.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AtOnce;
import dev.slipway.core.Secret;
import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallersTest {
  private static final Optional<Secret> NO_KEY = Optional.empty();
  private final TestClock clock = new TestClock();
  private Database database;
  private Callers callers;
  private Optional<Secret> key = Optional.empty();

  @BeforeEach
  void open() {
    database = TestDatabase.fresh();
    callers = new Callers(database, clock);
    key =
        new Accounts(database, new AccountStore(), clock)
            .bootstrap(new Accounts.Bootstrap("a@b", Optional.empty(), Optional.empty(), "free"))
            .map(Accounts.Credentials::apiKey);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void anAccountIsCountedWhereverItsRequestsComeFrom() {
    callers.count(key, "10.0.0.1");
    Callers.Caller second = callers.count(key, "10.0.0.2");

    assertThat(second.account()).map(Account::tier).contains("free");
    assertThat(second.requests()).isEqualTo(2);
    assertThat(second.windowEnd()).isEqualTo(Instant.parse("2026-11-21T09:31:00Z"));
    assertThat(callers.count(NO_KEY, "10.0.0.1").requests()).isEqualTo(1);
  }

  @Test
  void withoutAValidKeyTheAddressIsCounted() {
    callers.count(NO_KEY, "10.0.0.1");
    Callers.Caller second = callers.count(Optional.of(ApiKeyText.generate()), "10.0.0.1");

    assertThat(second.account()).isEmpty();
    assertThat(second.requests()).isEqualTo(2);
    assertThat(callers.count(NO_KEY, "10.0.0.2").requests()).isEqualTo(1);
  }

  @Test
  void aRevokedKeyOpensNothing() {
    database.useTransaction(tx -> tx.execute("UPDATE api_key SET revoked_at = now()"));

    assertThat(callers.count(key, "10.0.0.1").account()).isEmpty();
  }

  @Test
  void lookingDoesNotCount() {
    callers.count(key, "10.0.0.1");

    assertThat(callers.look(key, "10.0.0.1").requests()).isEqualTo(1);
    assertThat(callers.look(NO_KEY, "10.0.0.9").requests()).isZero();
    assertThat(callers.count(key, "10.0.0.1").requests()).isEqualTo(2);
  }

  @Test
  void theNextMinuteBeginsAnew() {
    callers.count(key, "10.0.0.1");
    clock.advance(Duration.ofMinutes(1));

    Callers.Caller next = callers.count(key, "10.0.0.1");

    assertThat(next.requests()).isEqualTo(1);
    assertThat(next.windowEnd()).isEqualTo(Instant.parse("2026-11-21T09:32:00Z"));
  }

  @Test
  void aReplicaWhoseClockIsBehindDoesNotBeginTheWindowAnew() {
    TestClock behind = new TestClock();
    Callers replica = new Callers(database, behind);
    clock.advance(Duration.ofMinutes(2));
    callers.count(key, "10.0.0.1");

    Callers.Caller second = replica.count(key, "10.0.0.1");

    assertThat(second.requests()).isEqualTo(2);
    assertThat(second.windowEnd()).isEqualTo(Instant.parse("2026-11-21T09:33:00Z"));
    assertThat(callers.count(key, "10.0.0.1").requests()).isEqualTo(3);
  }

  @Test
  void aWindowFromAClockThatWasFarAheadDoesNotLastUntilThen() {
    TestClock wrong = new TestClock();
    wrong.advance(Duration.ofDays(400));
    new Callers(database, wrong).count(key, "10.0.0.1");

    Callers.Caller right = callers.count(key, "10.0.0.1");

    assertThat(right.requests()).isEqualTo(1);
    assertThat(right.windowEnd()).isEqualTo(Instant.parse("2026-11-21T09:31:00Z"));
  }

  @Test
  void twoServersCountEachRequestOnceHoweverManyComeAtOnce() throws Exception {
    Callers replica = new Callers(database, clock);
    List<Callers> servers =
        IntStream.range(0, 400).mapToObj(i -> i % 2 == 0 ? callers : replica).toList();

    List<Long> numbers = AtOnce.each(servers, server -> server.count(key, "10.0.0.1").requests());

    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 400).boxed().toList());
  }

  @Test
  void theUseOfAKeyIsNotedOnceAMinute() {
    callers.count(key, "10.0.0.1");
    Instant first = clock.instant();
    assertThat(lastUse()).contains(first);
    clock.advance(Duration.ofSeconds(59));
    callers.count(key, "10.0.0.1");
    assertThat(lastUse()).contains(first);

    clock.advance(Duration.ofSeconds(1));
    callers.count(key, "10.0.0.1");

    assertThat(lastUse()).contains(clock.instant());
  }

  @Test
  void windowsThatCountNoMoreAreDeleted() {
    callers.count(NO_KEY, "10.0.0.1");
    clock.advance(Duration.ofMinutes(90));
    callers.count(NO_KEY, "10.0.0.2");

    callers.forgetOldWindows();

    List<String> subjects =
        database.read(
            tx -> tx.createQuery("SELECT subject FROM request_count").mapTo(String.class).list());
    assertThat(subjects).containsExactly("address 10.0.0.2");
  }

  private Optional<Instant> lastUse() {
    return database.read(
        tx -> tx.createQuery("SELECT last_used_at FROM api_key").mapTo(Instant.class).findOne());
  }
}
