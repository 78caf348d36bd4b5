package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * @param first whether these are the newest
 * @param older where the earlier ones are
 */
public record DatabasesPage(List<Row> rows, boolean first, Optional<String> older) {
  public DatabasesPage {
    rows = List.copyOf(rows);
  }

  /**
   * A database.
   *
   * @param users that it is the database of
   */
  public record Row(DatabaseLine database, List<ProjectLink> users) {}
}
