package dev.slipway.dbproject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DatabaseId;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FactsTest {
  private final DatabasePlane plane = new DatabasePlane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void whereTheServerIsAwayForAMomentThereAreNone() {
    DatabaseId id = plane.ready("chair");
    assertThat(facts(id)).isPresent();

    plane.server.away(true);
    assertThat(facts(id)).isEmpty();
  }

  @Test
  void aConnectedOneIsNotAskedWhereOurOwnStoreIs() {
    DatabaseLink link = plane.server.elsewhere();
    DatabaseId id = plane.add(new DatabaseWish.Connect(link));
    plane.prepare(id);
    plane.jobs.runDue();
    assertThat(facts(id)).isPresent();

    plane.storeIsAt(link.place());
    assertThat(facts(id)).isEmpty();
  }

  private Optional<DatabaseFacts> facts(DatabaseId id) {
    return plane.service.facts(plane.read(id));
  }
}
