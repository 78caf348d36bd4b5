package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.BUILDING;
import static dev.slipway.deployment.DeploymentStatus.DEPLOYING;
import static dev.slipway.deployment.DeploymentStatus.FAILED;
import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;
import static dev.slipway.deployment.DeploymentStatus.ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ReleaseId;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The guards of the store refuse what {@link DeploymentStatus} refuses. */
class DeploymentStoreMovesTest {
  private static final Failure FAILURE = new Failure(FailureCode.BUILD_FAILED, "as told");

  private final Plane plane = new Plane();
  private final Deployment deployment = plane.trigger(plane.project("shop"));
  private final DeploymentStore store = plane.records.deployments();
  private final Instant now = plane.clock.instant();

  @AfterEach
  void close() {
    plane.close();
  }

  private interface Move {
    void make(Handle tx, Deployment current);
  }

  @Test
  void everyMoveThatIsNotInTheTableChangesNothing() {
    for (DeploymentStatus from : DeploymentStatus.values()) {
      for (DeploymentStatus to : DeploymentStatus.values()) {
        boolean moved = false;
        for (Move move : movesTo(to)) {
          DeploymentStatus after = after(from, move);
          assertThat(after).as("%s to %s", from, to).isIn(from, to);
          moved |= after == to && from != to;
        }
        assertThat(moved).as("%s to %s", from, to).isEqualTo(from.next().contains(to));
      }
    }
  }

  @Test
  void aMoveOfAnotherAttemptChangesNothing() {
    for (DeploymentStatus from : DeploymentStatus.values()) {
      for (Move move :
          List.<Move>of(
              (tx, it) -> store.built(tx, it.id(), it.attempt(), release(it), now),
              (tx, it) -> store.live(tx, it.id(), it.attempt(), now),
              (tx, it) -> store.fail(tx, it, FAILURE, now))) {
        assertThat(after(from, overtaken(move))).as("%s", from).isEqualTo(from);
      }
    }
  }

  /** All that the store can do to bring a deployment into a state. */
  private List<Move> movesTo(DeploymentStatus to) {
    return switch (to) {
      case QUEUED -> List.of(); // it begins there
      case BUILDING -> List.of((tx, it) -> store.begin(tx, it.id(), QUEUED, BUILDING, now));
      case DEPLOYING ->
          List.of(
              (tx, it) -> store.begin(tx, it.id(), QUEUED, DEPLOYING, now),
              (tx, it) -> store.built(tx, it.id(), it.attempt(), release(it), now));
      case LIVE -> List.of((tx, it) -> store.live(tx, it.id(), it.attempt(), now));
      case FAILED -> List.of((tx, it) -> store.fail(tx, it, FAILURE, now));
      case ROLLED_BACK -> List.of((tx, it) -> store.rolledBack(tx, it.id(), now));
    };
  }

  /** Where a move leads from a state; what it wrote is taken back. */
  private DeploymentStatus after(DeploymentStatus from, Move move) {
    return plane.database.inTransaction(tx -> {
      tx.execute(
          "UPDATE deployment SET status = ? WHERE id = ?", from.name(), deployment.id().value());
      move.make(tx, store.find(tx, deployment.id()).orElseThrow());
      DeploymentStatus after = store.find(tx, deployment.id()).orElseThrow().status();
      tx.rollback();
      return after;
    });
  }

  /** The move, made by an attempt after which another has begun. */
  private static Move overtaken(Move move) {
    return (tx, current) -> {
      tx.execute("UPDATE deployment SET attempt = attempt + 1 WHERE id = ?", current.id().value());
      move.make(tx, current);
    };
  }

  private static ReleaseId release(Deployment deployment) {
    return ReleaseId.of(deployment.id());
  }
}
