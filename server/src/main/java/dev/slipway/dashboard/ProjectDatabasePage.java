package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * @param panel the project's database, where it has one
 * @param choices the databases that it may be given
 * @param chosen the id of one of them, or empty for none
 */
public record ProjectDatabasePage(
    ProjectHead head, Optional<DatabasePanel> panel, List<Option> choices, String chosen) {
  public ProjectDatabasePage {
    choices = List.copyOf(choices);
  }

  static String path(String project) {
    return ProjectHead.path(project) + "/database";
  }

  /** Whether there is one at all to choose. */
  public boolean hasChoice() {
    return choices.size() > 1;
  }
}
