package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.edge.Health.Verdict;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthCheckTest {
  private static final Duration SHORT = Duration.ofMillis(400);

  private final TestEdge edge = new TestEdge();
  private final HealthCheck check = new HealthCheck(edge.vertx);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  @AfterEach
  void close() {
    edge.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 204, 301, 404, 499})
  void anAnswerBelow500IsHealthyAtTheFirstTry(int status) {
    Target target =
        edge.upstream(request ->
            request
                .response()
                .putHeader("location", "http://127.0.0.1:1/")
                .setStatusCode(request.uri().equals("/up?x=1") ? status : 500)
                .end());

    Health health = await(target, TestEdge.LIMIT);

    assertThat(health.healthy()).isTrue();
    assertThat(health.tries()).isEqualTo(1);
    assertThat(health.last()).contains(new Probe.Answered(status));
  }

  @Test
  void anEndlessAnswerIsAnAnswer() {
    Target target =
        edge.upstream(request -> request.response().setChunked(true).write("and so on"));

    assertThat(await(target, TestEdge.LIMIT).healthy()).isTrue();
  }

  @Test
  void errorsAreTriedAgainUntilItIsWell() {
    AtomicInteger asked = new AtomicInteger();
    Target target =
        edge.upstream(request ->
            request.response().setStatusCode(asked.incrementAndGet() < 4 ? 503 : 200).end());

    Health health = await(target, TestEdge.LIMIT);

    assertThat(health.healthy()).isTrue();
    assertThat(health.tries()).isEqualTo(4);
    assertThat(health.after()).isLessThan(TestEdge.LIMIT);
  }

  @Test
  void aPortThatOpensLateIsFound() {
    Target target = TestEdge.deadTarget();
    CompletableFuture<Health> health = check.await(target, "/", TestEdge.LIMIT, ended);

    TestEdge.get(
        edge.vertx
            .createHttpServer()
            .requestHandler(request -> request.response().end())
            .listen(target.port(), target.host())
            .toCompletionStage()
            .toCompletableFuture());

    assertThat(TestEdge.get(health).healthy()).isTrue();
  }

  @Test
  void theLastAnswerIsToldWhenTheTimeIsOver() {
    Health health =
        await(edge.upstream(request -> request.response().setStatusCode(500).end()), SHORT);

    assertThat(health.verdict()).isEqualTo(Verdict.TIMED_OUT);
    assertThat(health.last()).contains(new Probe.Answered(500));
    assertThat(health.after()).isGreaterThanOrEqualTo(SHORT);
    assertThat(health.tries()).isBetween(3, 40);
  }

  @Test
  void aClosedPortIsToldApartFromASilentProgramAndABrokenOne() {
    assertThat(await(TestEdge.deadTarget(), SHORT).last()).contains(new Probe.Refused());
    assertThat(await(edge.raw(HealthCheckTest::hang), SHORT).last()).contains(new Probe.Silent());
    assertThat(await(edge.raw(RawClient::head), SHORT).last()).contains(new Probe.Broken());
    assertThat(
            await(
                    edge.raw(peer -> {
                      peer.head();
                      peer.send("SSH-2.0-OpenSSH_9.2\r\n\r\n");
                    }),
                    SHORT)
                .last())
        .contains(new Probe.Broken());
  }

  @Test
  void theEndOfTheProgramEndsTheWait() {
    CompletableFuture<Health> health =
        check.await(TestEdge.deadTarget(), "/", Duration.ofHours(1), ended);

    ended.complete(null);

    assertThat(TestEdge.get(health).verdict()).isEqualTo(Verdict.ENDED);
  }

  private static void hang(RawClient peer) {
    peer.head();
    peer.ends();
  }

  private Health await(Target target, Duration limit) {
    return TestEdge.get(check.await(target, "/up?x=1", limit, ended));
  }
}
