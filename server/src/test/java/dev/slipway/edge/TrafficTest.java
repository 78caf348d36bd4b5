package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.InstanceId;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds wherever the edges are. */
class TrafficTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";

  private final TrafficPlace place = new TrafficPlace();

  enum Edges {
    OF_THIS_PROCESS {
      @Override
      Traffic in(TrafficPlace place) {
        return place.edge().edge;
      }
    },
    OF_TWO_OTHERS {
      @Override
      Traffic in(TrafficPlace place) {
        Traffic traffic = place.server(true);
        place.remoteEdge();
        place.remoteEdge();
        return traffic;
      }
    },
    OF_THIS_AND_ANOTHER {
      @Override
      Traffic in(TrafficPlace place) {
        Traffic others = place.server(false);
        place.remoteEdge();
        return new AllTraffic(place.edge().edge, others);
      }
    },
    OF_THIS_AND_NO_OTHER {
      @Override
      Traffic in(TrafficPlace place) {
        return new AllTraffic(place.edge().edge, place.server(false));
      }
    };

    abstract Traffic in(TrafficPlace place);
  }

  @AfterEach
  void close() {
    place.close();
  }

  @ParameterizedTest
  @EnumSource
  void drainWaitsForWhatIsUnderWayAtEachEdgeAndForNothingElse(Edges edges) {
    Traffic traffic = edges.in(place);
    for (TestEdge edge : place.edges) {
      Promise<Void> answer = Promise.promise();
      Target old = place.row(slow(edge, answer));
      place.route(old);
      RawClient slow = edge.client().send(GET);
      eventually("under way", () -> edge.edge.inFlight(old.instance()) == 1);
      place.route(edge.named("new"));

      CompletableFuture<Boolean> drained = traffic.drain(old.instance(), TestEdge.LIMIT);

      assertThat(edge.get("/").body()).isEqualTo("new");
      assertThat(drained).isNotDone();
      answer.complete();
      assertThat(slow.answer().body()).isEqualTo("old");
      assertThat(TestEdge.get(drained)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsDrainedIsNeverAskedAgain(Edges edges) {
    Traffic traffic = edges.in(place);
    Target drained = place.row(place.edges.getFirst().named("drained"));
    Target other = place.edges.getFirst().named("other");
    place.route(drained, other);

    assertThat(TestEdge.get(traffic.drain(drained.instance(), TestEdge.LIMIT))).isTrue();
    traffic.reopen(List.of(drained.instance()));

    for (TestEdge edge : place.edges) {
      for (int i = 0; i < 5; i++) {
        assertThat(edge.get("/").body()).isEqualTo("other");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void atTheLimitWhatIsLeftIsEnded(Edges edges) {
    Traffic traffic = edges.in(place);
    Target old = place.row(slow(place.edges.getFirst(), Promise.promise()));
    place.route(old);
    List<RawClient> waiting = place.edges.stream().map(edge -> edge.client().send(GET)).toList();
    place.edges.forEach(
        edge -> eventually("under way", () -> edge.edge.inFlight(old.instance()) == 1));
    place.route(place.edges.getFirst().named("new"));

    assertThat(TestEdge.get(traffic.drain(old.instance(), Duration.ofMillis(100)))).isFalse();

    waiting.forEach(client -> assertThat(client.answer().status()).isEqualTo(503));
  }

  @ParameterizedTest
  @EnumSource
  void whatNobodyKnowsIsDrainedAtOnceAndAsOftenAsOneLikes(Edges edges) {
    Traffic traffic = edges.in(place);
    InstanceId known = place.instance();

    assertThat(TestEdge.get(traffic.drain(InstanceId.next(), TestEdge.LIMIT))).isTrue();
    assertThat(TestEdge.get(traffic.drain(known, TestEdge.LIMIT))).isTrue();
    assertThat(TestEdge.get(traffic.drain(known, TestEdge.LIMIT))).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void idleIsWhatNoEdgeHasARequestFor(Edges edges) {
    Traffic traffic = edges.in(place);
    for (TestEdge edge : place.edges) {
      Promise<Void> answer = Promise.promise();
      Target target = place.row(slow(edge, answer));
      place.route(target);
      RawClient client = edge.client().send(GET);
      eventually("under way", () -> edge.edge.inFlight(target.instance()) == 1);

      assertThat(idle(traffic, target)).isZero();
      assertThat(traffic.closeIdle(List.of(target.instance()), Duration.ZERO)).isFalse();

      answer.complete();
      assertThat(client.answer().status()).isEqualTo(200);
      eventually("it is idle", () -> idle(traffic, target).isPositive());
      assertThat(traffic.closeIdle(List.of(target.instance()), Duration.ofHours(1))).isFalse();
      assertThat(edge.get("/").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource
  void idleOnesAreClosedTogetherAndOpenedAgain(Edges edges) {
    Traffic traffic = edges.in(place);
    Target one = place.row(place.edges.getFirst().named("one"));
    Target two = place.row(place.edges.getFirst().named("two"));
    Target spare = place.edges.getFirst().named("spare");
    List<InstanceId> both = List.of(one.instance(), two.instance());
    place.route(one, two);
    place.edges.forEach(edge -> edge.waker(_ -> CompletableFuture.completedFuture(spare)));
    eventually(
        "idle", () -> idle(traffic, one).toMillis() > 2 && idle(traffic, two).toMillis() > 2);

    assertThat(traffic.closeIdle(both, Duration.ofMillis(1))).isTrue();
    place.edges.forEach(edge -> assertThat(edge.get("/").body()).isEqualTo("spare"));

    traffic.reopen(both);
    place.edges.forEach(
        edge -> eventually("it is asked again", () -> !edge.get("/").body().equals("spare")));
  }

  private static Duration idle(Traffic traffic, Target target) {
    return traffic.idle(List.of(target.instance())).getOrDefault(target.instance(), Duration.ZERO);
  }

  private static Target slow(TestEdge edge, Promise<Void> answer) {
    return edge.upstream(request -> answer.future().onSuccess(_ -> request.response().end("old")));
  }
}
