package dev.slipway.migration;

import static dev.slipway.migration.MigrationStatus.COMPLETE;
import static dev.slipway.migration.MigrationStatus.FAILED;
import static dev.slipway.migration.MigrationStatus.PENDING;
import static dev.slipway.migration.MigrationStatus.PROCESSING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.MigrationId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.project.Project;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The guards of the store refuse what {@link MigrationStatus} refuses. */
class MigrationStoreMovesTest {
  private static final Failure FAILURE = new Failure(FailureCode.BUILD_FAILED, "as told");

  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");
  private final Deployment first = plane.trigger(shop);
  private final MigrationStore store = new MigrationStore();
  private final MigrationId id = MigrationId.next();
  private final Instant now = plane.clock.instant();

  @AfterEach
  void close() {
    plane.close();
  }

  private interface Move {
    void make(Handle tx);
  }

  @Test
  void everyMoveThatIsNotInTheTableChangesNothing() {
    for (MigrationStatus from : MigrationStatus.values()) {
      for (MigrationStatus to : MigrationStatus.values()) {
        boolean moved = false;
        for (Move move : movesTo(to)) {
          MigrationStatus after = after(from, move);
          assertThat(after).as("%s to %s", from, to).isIn(from, to);
          moved |= after == to && from != to;
        }
        assertThat(moved).as("%s to %s", from, to).isEqualTo(from.next().contains(to));
      }
    }
  }

  /** All that the store can do to bring a migration into a state. */
  private List<Move> movesTo(MigrationStatus to) {
    return switch (to) {
      case PENDING -> List.of(); // it begins there
      case PROCESSING -> List.of(tx -> store.processing(tx, id, first.id()));
      case COMPLETE -> List.of(tx -> store.complete(tx, first.id(), now));
      case FAILED ->
          List.of(
              tx -> store.fail(tx, first.id(), FAILURE, now),
              tx -> store.failPending(tx, id, FAILURE, now));
    };
  }

  /** Where a move leads from a state; what it wrote is taken back. */
  private MigrationStatus after(MigrationStatus from, Move move) {
    return plane.database.inTransaction(tx -> {
      store.insert(
          tx,
          new Migration(
              id,
              plane.account,
              shop.id(),
              id.value(),
              Optional.empty(),
              Optional.empty(),
              PENDING,
              now,
              Optional.empty(),
              Optional.empty()));
      tx.execute(
          "UPDATE migration SET status = ?, deployment_id = ? WHERE id = ?",
          from.name(),
          from == PENDING ? null : first.id().value(),
          id.value());
      move.make(tx);
      MigrationStatus after = store.find(tx, id).orElseThrow().status();
      tx.rollback();
      return after;
    });
  }
}
