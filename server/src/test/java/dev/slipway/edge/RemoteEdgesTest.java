package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.eventually;
import static dev.slipway.edge.TrafficPlace.look;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.EdgeId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.TransientException;
import dev.slipway.db.CutStore;
import dev.slipway.db.Database;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Edges that are killed, stand still or come late, and a store that is away. */
class RemoteEdgesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(200);

  /** More looks than an edge may be silent for. */
  private static final int MANY = Presence.LOOKS + 2;

  private final TrafficPlace place = new TrafficPlace();
  private final InstanceId old = place.instance();
  private final HandEdge busy = new HandEdge();
  private final HandEdge other = new HandEdge();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void anEdgeThatIsKilledIsWaitedForAWhileAndTheOthersForAsLongAsTheyTake() {
    RemoteEdges server = settled();
    EdgeLink killed = edge(busy);
    EdgeLink lives = edge(other);
    CompletableFuture<Boolean> drained = server.drain(old, LIMIT);
    killed.beat();

    for (int i = 0; i < MANY; i++) {
      lives.beat();
      server.look();
    }

    assertThat(place.count("edge")).isEqualTo(1);
    assertThat(drained).isNotDone();
    other.letGo(true);
    assertThat(whenSaid(drained, lives, server)).isTrue();
  }

  @Test
  void anEdgeThatLivesAndDoesNotReachTheStoreIsWaitedFor() throws Exception {
    RemoteEdges server = settled();
    EdgeId id = EdgeId.next();
    EdgeLocks.Held lock = place.locks.hold(id);
    EdgeLink mute = place.link(id, place.database, place.routes(place.database), busy, LIMIT);
    mute.join();
    CompletableFuture<Boolean> drained = server.drain(old, Duration.ZERO);
    mute.beat();

    look(server, 10 * Presence.LOOKS);
    assertThat(drained).isNotDone();
    assertThat(place.count("edge")).isEqualTo(1);

    lock.close(); // as the kernel does
    server.look();
    assertThat(TestEdge.get(drained)).isTrue();
    assertThat(place.count("edge")).isZero();
  }

  @Test
  void anEdgeThatIsSlowForMomentsIsWaitedFor() {
    RemoteEdges server = settled();
    EdgeLink edge = edge(busy);
    CompletableFuture<Boolean> drained = server.drain(old, LIMIT);
    edge.beat();

    for (int i = 0; i < 3; i++) {
      look(server, Presence.LOOKS - 1);
      edge.beat();
    }
    server.look();

    assertThat(drained).isNotDone();
    busy.letGo(false);
    assertThat(whenSaid(drained, edge, server)).isFalse();
  }

  @Test
  void anEdgeThatStoodStillAndWasTakenForGoneReadsTheRoutesAndDrainsWhatItMissed() {
    RemoteEdges server = settled();
    EdgeLink edge = edge(busy);
    look(server, MANY);
    assertThat(place.count("edge")).isZero();
    CompletableFuture<Boolean> missed = server.drain(old, LIMIT);
    server.look();
    assertThat(TestEdge.get(missed)).isTrue();

    edge.beat();

    assertThat(busy.drained).containsExactly(old);
    CompletableFuture<Boolean> again = server.drain(old, LIMIT);
    server.look();
    assertThat(again).isNotDone();
  }

  @Test
  void anEdgeThatAStoreFromABackupDoesNotKnowTakesItsRoutesThoughTheyAreOlder() {
    TestEdge serving = place.edge();
    serving.edge.reset(new RouteTable(1_000, Map.of()));
    Routes routes = place.routes(place.database);
    routes.feed(serving.edge);
    EdgeLink edge = place.link(place.database, routes, serving.edge, SHORT);
    edge.join();
    serving.edge.reset(new RouteTable(1_000, Map.of()));
    edge.beat();
    assertThat(serving.edge.version()).isEqualTo(1_000);

    place.database.useTransaction(tx -> tx.execute("DELETE FROM edge"));
    edge.beat();

    assertThat(serving.edge.version()).isLessThan(1_000);
  }

  @Test
  void whileTheServerDoesNotReachTheStoreNobodyIsTakenForGone() {
    try (CutStore way = new CutStore(place.database);
        Database connection = Database.connect(way.address())) {
      RemoteEdges server = place.server(connection, true, SHORT);
      look(server, MANY);
      EdgeLink edge = edge(busy);
      CompletableFuture<Boolean> drained = server.drain(old, LIMIT);
      edge.beat();
      look(server, Presence.LOOKS);

      way.cut();
      server.look();
      assertThatThrownBy(() -> server.drain(place.instance(), LIMIT))
          .isInstanceOf(TransientException.class);
      way.mend();

      eventually("the store is there", () -> answers(connection));
      look(server, Presence.LOOKS);
      assertThat(place.count("edge")).isEqualTo(1);
      busy.letGo(true);
      assertThat(whenSaid(drained, edge, server)).isTrue();
    }
  }

  @Test
  void anEdgeThatLetsGoWhileTheStoreIsAwaySaysSoAfterwards() {
    RemoteEdges server = settled();
    try (CutStore way = new CutStore(place.database);
        Database connection = Database.connect(way.address())) {
      EdgeLink edge = place.link(connection, busy);
      assertThat(edge.join()).isTrue();
      CompletableFuture<Boolean> drained = server.drain(old, LIMIT);
      edge.beat();

      way.cut();
      busy.letGo(true);
      assertThat(edge.beat()).isFalse();
      server.look();
      assertThat(drained).isNotDone();
      way.mend();

      assertThat(whenSaid(drained, edge, server)).isTrue();
      assertThat(busy.drained).containsExactly(old);
    }
  }

  @Test
  void anEdgeThatWasStartedWhileTheStoreWasAwayIsWaitedForThoughItComesLate() {
    RemoteEdges server = place.server(place.database, true, SHORT); // began this moment
    CompletableFuture<Boolean> drained = server.drain(old, LIMIT);
    look(server, Presence.LOOKS / 2);
    assertThat(drained).isNotDone();

    EdgeLink late = edge(busy); // with a table from its disk, and requests under way
    for (int i = 0; i < MANY; i++) {
      late.beat();
      server.look();
    }

    assertThat(busy.drained).containsExactly(old);
    assertThat(drained).isNotDone();
    busy.letGo(true);
    assertThat(whenSaid(drained, late, server)).isTrue();
  }

  @Test
  void aServerThatWasKilledInTheMiddleAsksAgainAndTheEdgeGoesOn() {
    EdgeLink edge = edge(busy);
    assertThat(settled().drain(old, LIMIT)).isNotDone();
    edge.beat();

    RemoteEdges next = settled();
    CompletableFuture<Boolean> drained = next.drain(old, Duration.ofHours(1));
    edge.beat();
    next.look();

    assertThat(busy.drained).containsExactly(old);
    assertThat(busy.limit).isEqualTo(LIMIT);
    assertThat(drained).isNotDone();
    busy.letGo(true);
    assertThat(whenSaid(drained, edge, next)).isTrue();
  }

  @Test
  void anEdgeThatEndsIsNotWaitedFor() {
    RemoteEdges server = settled();
    EdgeLink edge = edge(busy);
    CompletableFuture<Boolean> drained = server.drain(old, LIMIT);
    edge.beat();

    edge.close();

    assertThat(place.count("edge")).isZero();
    server.look();
    assertThat(TestEdge.get(drained)).isTrue();
    assertThat(edge.beat()).isFalse();
    assertThat(place.count("edge")).isZero();
  }

  @Test
  void anEdgeThatNeverLetsGoIsNotWaitedForForEver() {
    RemoteEdges server = settled();
    EdgeLink edge = edge(busy);
    CompletableFuture<Boolean> drained = server.drain(old, Duration.ZERO);

    for (int i = 0; i < 3 * Presence.LOOKS; i++) {
      edge.beat();
      server.look();
    }
    assertThat(drained).isNotDone();
    edge.beat();
    server.look();

    assertThat(TestEdge.get(drained)).isFalse();
  }

  @Test
  void theEndOfTheInstanceIsTheEndOfWhatWasAsked() {
    RemoteEdges server = settled();
    EdgeLink edge = edge(busy);
    CompletableFuture<Boolean> drained = server.drain(old, LIMIT);
    edge.beat();
    busy.letGo(true);
    assertThat(whenSaid(drained, edge, server)).isTrue();

    place.database.useTransaction(tx -> tx.execute("DELETE FROM instance"));

    assertThat(place.count("edge_drain")).isZero();
    assertThat(place.count("edge_drained")).isZero();
  }

  @Test
  void whileAnEdgeDoesNotAnswerNothingCountsAsIdle() {
    RemoteEdges server = settled();
    var _ = edge(busy); // and does not hear

    assertThat(server.idle(List.of(old))).containsEntry(old, Duration.ZERO);
    assertThat(server.closeIdle(List.of(old), Duration.ZERO)).isFalse();
  }

  @Test
  void whereOneOfSeveralEdgesIsBusyTheOthersGoOn() {
    RemoteEdges server = place.server(true);
    other.idle = true;
    hearing(other);
    hearing(busy);

    assertThat(server.closeIdle(List.of(old), Duration.ofMinutes(1))).isFalse();

    eventually("it goes on", () -> other.reopened);
  }

  @Test
  void whatAServerClosedThatWasKilledThenOpensByItself() {
    RemoteEdges killed = place.server(true);
    EdgeLink edge = place.link(place.database, other, SHORT);
    edge.join();
    edge.hear(place.notifications);
    place.awaitEars();
    other.idle = true;

    assertThat(killed.closeIdle(List.of(old), Duration.ofMinutes(1))).isTrue();

    eventually("it goes on", () -> other.reopened);
  }

  @Test
  void whereThereIsNoEdgeNothingIsKnownToBeIdle() {
    RemoteEdges server = settled();

    assertThat(server.idle(List.of(old))).containsEntry(old, Duration.ZERO);
    assertThat(server.closeIdle(List.of(old), Duration.ZERO)).isFalse();
  }

  @Test
  void besideAnEdgeOfThisProcessNobodyIsWaitedForWhereNobodyIs() {
    RemoteEdges server = place.server(place.database, false, SHORT);

    assertThat(server.drain(old, LIMIT)).isCompletedWithValue(true);
    assertThat(server.idle(List.of(old)).get(old)).isGreaterThan(Duration.ofDays(365));
    assertThat(server.closeIdle(List.of(old), Duration.ofDays(365))).isTrue();
  }

  /** A server that has been there for long. */
  private RemoteEdges settled() {
    RemoteEdges server = place.server(place.database, true, SHORT);
    look(server, Presence.LOOKS);
    return server;
  }

  /** An edge that is known, and moves when the test says so. */
  private EdgeLink edge(HandEdge edge) {
    EdgeLink link = place.link(place.database, edge);
    assertThat(link.join()).isTrue();
    return link;
  }

  private void hearing(HandEdge edge) {
    edge(edge).hear(place.notifications);
    place.awaitEars();
  }

  /** The edge lets go on a thread of its own. */
  private boolean whenSaid(CompletableFuture<Boolean> drained, EdgeLink edge, RemoteEdges server) {
    eventually("it is said", () -> edge.beat() && place.count("edge_drained") > 0);
    for (int i = 0; i < Presence.LOOKS; i++) {
      edge.beat();
      server.look();
    }
    return TestEdge.get(drained);
  }

  private static boolean answers(Database connection) {
    try {
      return connection.read(tx -> tx.createQuery("SELECT 1").mapTo(Integer.class).one()) == 1;
    } catch (TransientException e) {
      return false;
    }
  }
}
