package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.edge.LiveRoutes.Entered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LiveRoutesTest {
  private final LiveRoutes routes = new LiveRoutes();
  private final Target one = TestEdge.target(1);
  private final Target two = TestEdge.target(2);
  private long version;

  @Test
  void theInstanceWithTheLeastUnderWayIsTaken() {
    Route route = apply(one, two);

    Entered first = enter(route).orElseThrow();
    Entered second = enter(route).orElseThrow();
    assertThat(Stream.of(first.target(), second.target())).containsExactlyInAnyOrder(one, two);

    first.claim().release();
    assertThat(enter(route).orElseThrow().target()).isEqualTo(first.target());
  }

  @Test
  void aReleaseCountsOnce() {
    Route route = apply(one);
    Claim claim = enter(route).orElseThrow().claim();
    assertThat(enter(route)).isPresent();

    claim.release();
    claim.release();

    assertThat(routes.inFlight(one.instance())).isEqualTo(1);
  }

  @Test
  void nothingEntersAClosedInstanceEvenByAnOldTable() {
    Route old = apply(one);
    apply(two);

    assertThat(routes.close(one.instance())).isDone();

    assertThat(enter(old)).isEmpty();
    routes.admit(one.instance());
    assertThat(enter(old)).isEmpty();
  }

  @Test
  void instancesThatVanishAreForgottenOnceNothingIsUnderWay() {
    Route old = apply(one);
    Claim claim = enter(old).orElseThrow().claim();

    apply(two);
    assertThat(routes.inFlight(one.instance())).isEqualTo(1);
    claim.release();
    for (int i = 0; i < 100; i++) {
      apply(TestEdge.target(3));
    }

    assertThat(routes.known()).isEqualTo(1);
    assertThat(enter(old)).isEmpty();
  }

  @Test
  void whoeverEntersWhileTheGateClosesIsWaitedForOrTurnedAway() throws InterruptedException {
    for (int i = 0; i < 2_000; i++) {
      Target target = TestEdge.target(1);
      Route route = apply(target);
      CountDownLatch begin = new CountDownLatch(1);
      CompletableFuture<Optional<Entered>> entered = new CompletableFuture<>();
      Thread visitor =
          Thread.startVirtualThread(() -> {
            await(begin);
            entered.complete(enter(route));
          });
      begin.countDown();
      boolean drainedAtOnce = routes.close(target.instance()).isDone();

      Optional<Entered> entry = TestEdge.get(entered);
      assertThat(entry.isPresent()).isEqualTo(!drainedAtOnce);
      entry.ifPresent(in -> in.claim().release());
      assertThat(routes.close(target.instance())).isDone();
      visitor.join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Optional<Entered> enter(Route route) {
    return routes.enter(route, List.<InstanceId>of(), () -> {});
  }

  private Route apply(Target... targets) {
    Route route = new Route(ProjectId.next(), DeploymentId.next(), false, List.of(targets));
    routes.apply(new RouteTable(++version, Map.of("shop.localhost", route)));
    return route;
  }
}
