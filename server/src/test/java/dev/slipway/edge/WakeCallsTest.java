package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An edge asks the process that has the waker, through the store. */
class WakeCallsTest {
  private static final Target TARGET = new Target(InstanceId.next(), "127.0.0.1", 21_000);

  private final DeploymentId deployment = DeploymentId.next();
  private final Database database = TestDatabase.empty();
  private final Notifications notifications = Notifications.open(database.address());
  private final RemoteWaker remote = new RemoteWaker(database);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicBoolean first = new AtomicBoolean(true);
  private final CompletableFuture<Target> started = new CompletableFuture<>();

  @BeforeEach
  void listen() throws Exception {
    remote.listen(notifications);
    CompletableFuture<Boolean> connected = new CompletableFuture<>();
    notifications.subscribe("after_it", _ -> {}, () -> connected.complete(true));
    assertThat(TestEdge.get(connected)).isTrue();
  }

  @AfterEach
  void close() {
    remote.close();
    notifications.close();
    database.close();
  }

  @Test
  void manyWhoAskAtOnceGetTheOneThatWasStarted() {
    CompletableFuture<Target> first = remote.wake(deployment);
    CompletableFuture<Target> second = remote.wake(deployment);
    answerCalls(); // after the first call, which is repeated
    TestEdge.eventually("it was asked", () -> asked.get() == 1);
    started.complete(TARGET);

    assertThat(TestEdge.get(first)).isEqualTo(TARGET);
    assertThat(TestEdge.get(second)).isEqualTo(TARGET);
    assertThat(TestEdge.get(remote.wake(deployment))).isEqualTo(TARGET);
    assertThat(asked).hasValue(2);
  }

  @Test
  void whatCannotBeStartedIsToldApartFromWhatCrashes() {
    answerCalls();
    started.completeExceptionally(new AppFailure(FailureCode.START_FAILED, "It has ended."));
    assertThat(failure(remote.wake(deployment))).isInstanceOf(AppFailure.class);
  }

  @Test
  void whatCrashesAgainAndAgainIsToldAsThat() {
    answerCalls();
    started.completeExceptionally(new Waker.Crashing());
    assertThat(failure(remote.wake(deployment))).isInstanceOf(Waker.Crashing.class);
  }

  @Test
  void aServerThatEndsLeavesTheCallToTheNext() {
    answerCalls();
    CompletableFuture<Target> waiting = remote.wake(deployment);
    TestEdge.eventually("it was asked", () -> asked.get() == 1);
    first.set(false);
    started.completeExceptionally(new InterruptedException("the server ends, says a test"));

    assertThat(TestEdge.get(waiting)).isEqualTo(TARGET);
  }

  @Test
  void nobodyWaitsForAStoreThatIsAway() {
    CompletableFuture<Target> waiting = remote.wake(deployment);
    remote.storeAway();

    assertThat(failure(waiting)).isInstanceOf(TransientException.class);
    assertThat(failure(remote.wake(deployment))).isInstanceOf(TransientException.class);
  }

  private void answerCalls() {
    new WakeCalls(
            database,
            id -> {
              assertThat(id).isEqualTo(deployment);
              asked.incrementAndGet();
              return first.get() ? started : CompletableFuture.completedFuture(TARGET);
            })
        .listen(notifications);
  }

  private static Throwable failure(CompletableFuture<Target> answer) {
    return answer
        .handle((_, failure) ->
            failure instanceof CompletionException wrapped ? wrapped.getCause() : failure)
        .orTimeout(TestEdge.LIMIT.toSeconds(), TimeUnit.SECONDS)
        .join();
  }
}
