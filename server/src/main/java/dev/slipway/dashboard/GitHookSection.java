package dev.slipway.dashboard;

import java.util.List;

/**
 * How the git host of a project tells of pushes, and what it has told.
 *
 * @param project its id
 * @param address that the host sends to
 * @param secret whether one was made
 * @param messages some of them, newest first
 */
public record GitHookSection(
    String project, String address, boolean secret, List<HookMessage> messages) {
  public GitHookSection {
    messages = List.copyOf(messages);
  }

  static String path(String project) {
    return ProjectSettingsPage.path(project) + "/hook";
  }

  /** Where all messages are, and a secret is made. */
  public String path() {
    return path(project);
  }
}
