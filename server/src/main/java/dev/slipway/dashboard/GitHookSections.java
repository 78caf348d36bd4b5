package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ProjectId;
import dev.slipway.edge.Addresses;
import dev.slipway.hook.GitHooks;
import java.util.List;
import java.util.Optional;

/** Finds out how projects are told of pushes. */
final class GitHookSections {
  private final GitHooks hooks;
  private final Addresses addresses;

  GitHookSections(GitHooks hooks, Addresses addresses) {
    this.hooks = hooks;
    this.addresses = addresses;
  }

  GitHookSection of(Visit visit, String project, List<HookMessage> messages) {
    return new GitHookSection(
        project,
        addresses.of("/hooks/git/" + project),
        hooks.hasSecret(visit.who().account().id(), new ProjectId(project)),
        messages);
  }

  /**
   * Some of the messages of a project's git host, newest first.
   *
   * @param cursor where they begin; else with the newest
   */
  static LocalApi.Listed<HookMessage> messages(
      Visit visit, String project, int limit, Optional<String> cursor) {
    LocalRequest newest =
        LocalRequest.of("listHookDeliveries")
            .path("project_id", project)
            .query("limit", Integer.toString(limit));
    return visit.list(
        cursor.map(it -> newest.query("cursor", it)).orElse(newest), HookMessage.class);
  }
}
