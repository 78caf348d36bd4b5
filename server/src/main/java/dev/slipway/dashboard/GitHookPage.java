package dev.slipway.dashboard;

import java.util.Optional;

/**
 * What a project's git host has told.
 *
 * @param made the secret that was made just now, which is not shown again
 * @param first whether these messages are the newest
 * @param older where the next ones begin
 */
public record GitHookPage(
    ProjectHead head,
    GitHookSection hook,
    Optional<String> made,
    boolean first,
    Optional<String> older) {

  /** Empty where these are the newest. */
  public String newestPath() {
    return first ? "" : hook.path();
  }

  /** Empty where there are none. */
  public String olderPath() {
    return older.map(it -> hook.path() + "?cursor=" + Shown.encoded(it)).orElse("");
  }
}
