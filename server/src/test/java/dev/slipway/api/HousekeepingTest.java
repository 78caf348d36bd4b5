package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Callers;
import dev.slipway.account.Invitations;
import dev.slipway.account.PasswordGate;
import dev.slipway.account.Role;
import dev.slipway.account.Sessions;
import dev.slipway.account.TestUsers;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import dev.slipway.job.Job;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HousekeepingTest {
  private final ApiPlace api = new ApiPlace();
  private final PasswordGate gate = PasswordGate.forCores();
  private final Sessions sessions = new Sessions(api.plane.database, gate, api.plane.clock);
  private final Invitations invitations =
      new Invitations(api.plane.database, sessions, gate, api.plane.clock);
  private final Job housekeeping =
      Api.housekeeping(
          api.plane.database,
          api.plane.vault,
          List.of(
              new Callers(api.plane.database, api.plane.clock)::forgetOldWindows,
              sessions::forgetOld,
              invitations::forgetOld),
          api.plane.clock);

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void whatIsOldIsDeletedAgainAndAgain() throws Exception {
    for (int round = 0; round < 2; round++) {
      ask();
      assertThat(housekeeping.run("all")).isInstanceOf(Job.Outcome.Again.class);
      assertThat(api.plane.count("request_count")).isOne();
      assertThat(api.plane.count("kept_answer")).isOne();

      api.plane.clock.advance(Duration.ofHours(24));

      assertThat(housekeeping.run("all")).isInstanceOf(Job.Outcome.Again.class);
      assertThat(api.plane.count("request_count")).isZero();
      assertThat(api.plane.count("kept_answer")).isZero();
    }
  }

  @Test
  void sessionsAndInvitationsAreDeletedWhenTheyOpenNothingAnyMore() throws Exception {
    String email = TestUsers.add(api.plane.database, api.plane.account, Role.OWNER, "a password");
    Sessions.Started started =
        sessions.signIn(
            email, new Secret("a password"), new Sessions.Visitor("10.0.0.1", "Lynx/2.9"));
    var _ = invitations.invite(started.who(), "ada@example.org", Role.MEMBER);
    assertThat(housekeeping.run("all")).isInstanceOf(Job.Outcome.Again.class);
    assertThat(api.plane.count("session")).isOne();
    assertThat(api.plane.count("invitation")).isOne();

    api.plane.clock.advance(Duration.ofDays(90));

    assertThat(housekeeping.run("all")).isInstanceOf(Job.Outcome.Again.class);
    assertThat(api.plane.count("session")).isZero();
    assertThat(api.plane.count("invitation")).isZero();
    assertThat(api.plane.count("sign_in_failure")).isZero();
  }

  @Test
  void aStoreThatIsAwayPutsItOffAndDoesNotEndIt() throws Exception {
    api.plane.database.close();

    assertThat(housekeeping.run("all")).isInstanceOf(Job.Outcome.Again.class);
  }

  @Test
  void aChoreThatFailsKeepsNoOtherFromItsTurn() throws Exception {
    AtomicInteger later = new AtomicInteger();
    Job chores =
        new Housekeeping(
            List.of(
                () -> {
                  throw new IllegalStateException("a chore that fails");
                },
                () -> {
                  throw new TransientException("a store that is away");
                },
                later::incrementAndGet));

    assertThat(chores.run("all")).isInstanceOf(Job.Outcome.Again.class);

    assertThat(later.get()).isOne();
  }

  @Test
  void itIsAskedForOnceHoweverManyServersStart() {
    int before = api.plane.count("chore_tasks");
    Api.scheduleHousekeeping(api.plane.database, api.plane.clock);
    Api.scheduleHousekeeping(api.plane.database, api.plane.clock);

    assertThat(api.plane.count("chore_tasks")).isEqualTo(before + 1);
  }

  /** A request that is counted, and whose answer is kept. */
  private void ask() {
    MultiMap headers =
        ApiPlace.authorized(api.key)
            .add("Content-Type", "application/json")
            .add("Idempotency-Key", "one");
    api.send(
        "POST", "/v1/deployments", headers, Optional.of("{}".getBytes(StandardCharsets.UTF_8)));
  }
}
