package dev.slipway.hook;

import java.util.List;

/** What a message of a git host says. */
sealed interface Message {
  /** The host only wants to know whether we are there. */
  record Ping() implements Message {}

  record Pushed(Push push) implements Message {}

  /**
   * @param repo which it is made to, as the host writes it
   * @param words of its author in which he may ask for nothing to be done
   */
  record Proposed(String repo, PullRequest pullRequest, List<String> words) implements Message {}

  /**
   * Nothing that concerns us.
   *
   * @param reason a sentence for the project's owner
   */
  record Other(String reason) implements Message {}
}
