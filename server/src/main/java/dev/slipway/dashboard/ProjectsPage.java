package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * Some of the account's projects, newest first.
 *
 * @param cursor where they begin, where these are not the newest
 * @param older where the next ones begin
 */
public record ProjectsPage(
    List<ProjectCard> projects, Optional<String> cursor, Optional<String> older) {
  private static final String PATH = Site.BASE + "/projects";

  public ProjectsPage {
    projects = List.copyOf(projects);
  }

  /** Where the cards alone are, to be looked at again. */
  public String cardsPath() {
    return PATH + "/list" + cursor.map(ProjectsPage::query).orElse("");
  }

  /** How often: what is being built changes soon. */
  public String trigger() {
    boolean underWay =
        projects.stream()
            .anyMatch(
                it -> it.state().isUnderWay() || it.news().filter(Badge::isUnderWay).isPresent());
    return underWay ? "every 3s" : "every 15s";
  }

  /** Empty where these are the newest. */
  public String newestPath() {
    return cursor.isPresent() ? PATH : "";
  }

  /** Empty where there are none. */
  public String olderPath() {
    return older.map(it -> PATH + query(it)).orElse("");
  }

  private static String query(String cursor) {
    return "?cursor=" + Shown.encoded(cursor);
  }
}
