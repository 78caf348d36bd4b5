package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * The previews of a project's pull requests.
 *
 * @param open those that are not removed, newest first
 * @param removed some of the others, newest first
 * @param wanted whether the project is set to have previews
 * @param secret whether the git host can tell of pull requests
 * @param first whether the removed ones are the newest
 * @param older where the next of the removed ones begin
 */
public record PreviewsPage(
    ProjectHead head,
    List<PreviewFacts> open,
    List<PreviewFacts> removed,
    boolean wanted,
    boolean secret,
    boolean first,
    Optional<String> older) {
  public PreviewsPage {
    open = List.copyOf(open);
    removed = List.copyOf(removed);
  }

  static String path(String project) {
    return ProjectHead.path(project) + ProjectTab.PREVIEWS.path();
  }

  /** Where the open ones alone are, to be looked at again. */
  public String openPath() {
    return path(head.id()) + "/open";
  }

  /** How often. */
  public String trigger() {
    return open.stream().anyMatch(PreviewFacts::isOpen) ? "every 3s" : "every 15s";
  }

  public String variablesPath() {
    return VariableScope.PREVIEWS.path(head.id());
  }

  /** Where it is said what the git host has told. */
  public String hookPath() {
    return GitHookSection.path(head.id());
  }

  /** Empty where the removed ones are the newest. */
  public String newestPath() {
    return first ? "" : path(head.id());
  }

  /** Empty where there are no more of them. */
  public String olderPath() {
    return older.map(it -> path(head.id()) + "?cursor=" + Shown.encoded(it)).orElse("");
  }
}
