package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.edge.LiveRoutes.Entered;
import java.time.Duration;
import java.util.ArrayList;
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
  void amongEqualsTheyTakeTurns() {
    Target three = TestEdge.target(3);
    Route route = apply(one, two, three);
    List<Target> taken = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Entered entered = enter(route).orElseThrow();
      taken.add(entered.target());
      entered.claim().release();
    }

    assertThat(taken.subList(0, 3)).containsExactlyInAnyOrder(one, two, three);
    assertThat(taken.subList(3, 6)).isEqualTo(taken.subList(0, 3));
    assertThat(taken.subList(6, 9)).isEqualTo(taken.subList(0, 3));
  }

  @Test
  void oneThatRefusesIsPassedOverHoweverBusyTheOthersAre() {
    Route route = apply(one, two);
    eject(one);

    for (int i = 0; i < 5; i++) {
      assertThat(enter(route).orElseThrow().target()).isEqualTo(two);
    }
    routes.ejection(one.instance()).orElseThrow().end();
    assertThat(enter(route).orElseThrow().target()).isEqualTo(one);
  }

  @Test
  void whereAllRefuseAllAreTried() {
    Route route = apply(one, two);
    eject(one);
    eject(two);

    assertThat(List.of(enter(route).orElseThrow().target(), enter(route).orElseThrow().target()))
        .containsExactlyInAnyOrder(one, two);
  }

  @Test
  void itIsPassedOverForLongerEachTime() {
    apply(one);
    Ejection ejection = routes.ejection(one.instance()).orElseThrow();

    assertThat(ejection.begin()).contains(Ejection.FIRST);
    assertThat(ejection.begin()).isEmpty();
    assertThat(ejection.prolong()).isEqualTo(Ejection.FIRST.multipliedBy(2));
    ejection.end();
    assertThat(ejection.begin()).contains(Ejection.FIRST.multipliedBy(4));
    for (int i = 0; i < 100; i++) {
      assertThat(ejection.prolong()).isLessThanOrEqualTo(Ejection.LONGEST);
    }
  }

  private void eject(Target target) {
    assertThat(routes.ejection(target.instance()).orElseThrow().begin()).isPresent();
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
  void whatIsInUseIsNotClosedAsIdleNorWhatStandsBesideIt() {
    Route route = apply(one, two);
    Claim claim = enter(route).orElseThrow().claim();
    List<InstanceId> both = List.of(one.instance(), two.instance());

    assertThat(routes.closeIdle(both, Duration.ZERO)).isFalse();
    assertThat(routes.closeIdle(List.of(two.instance(), one.instance()), Duration.ZERO)).isFalse();
    assertThat(enter(route)).isPresent();
    assertThat(enter(route)).isPresent();

    assertThat(routes.inFlight(one.instance()) + routes.inFlight(two.instance())).isEqualTo(3);
    claim.release();
  }

  @Test
  void whatIsIdleIsClosedAndMayBeOpenedAgain() {
    Route route = apply(one, two);
    List<InstanceId> both = List.of(one.instance(), two.instance());
    assertThat(routes.closeIdle(both, Duration.ofHours(1))).isFalse();

    assertThat(routes.closeIdle(both, Duration.ZERO)).isTrue();
    assertThat(enter(route)).isEmpty();
    assertThat(routes.closeIdle(both, Duration.ZERO)).isTrue();

    routes.reopen(both);
    enter(route).orElseThrow().claim().release();
    routes.closeIdle(both, Duration.ZERO);
    assertThat(routes.close(two.instance())).isDone();
  }

  @Test
  void whatIsDrainedIsNotOpenedAgain() {
    Route route = apply(one);
    routes.closeIdle(List.of(one.instance()), Duration.ZERO);
    assertThat(routes.close(one.instance())).isDone();

    routes.reopen(List.of(one.instance()));

    assertThat(enter(route)).isEmpty();
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
