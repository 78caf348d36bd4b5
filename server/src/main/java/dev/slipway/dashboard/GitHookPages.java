package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.Optional;

/** What the git host of a project has told, and where the secret for that is made. */
final class GitHookPages implements Pages {
  private static final int SHOWN = 25;

  private final ProjectHeads heads;
  private final GitHookSections sections;

  GitHookPages(ProjectHeads heads, GitHookSections sections) {
    this.heads = heads;
    this.sections = sections;
  }

  @Override
  public void mount(Site site) {
    String path = "/projects/:project_id/settings/hook";
    site.get(path, this::show);
    site.post(path, Need.CHANGE, this::makeSecret, this::show);
  }

  private Reply show(Visit visit) {
    return page(visit, Optional.empty());
  }

  private record Made(String secret) {}

  /** Not followed by another page: the secret is in this answer and nowhere else. */
  private Reply makeSecret(Visit visit) {
    ProjectFacts project = project(visit); // one of archives has no use for a secret
    Made made =
        visit.ask(LocalRequest.of("makeHookSecret").path("project_id", project.id()), Made.class);
    return page(visit, Optional.of(made.secret()));
  }

  private Reply page(Visit visit, Optional<String> made) {
    ProjectFacts project = project(visit);
    Optional<String> cursor = visit.query("cursor");
    LocalApi.Listed<HookMessage> found =
        GitHookSections.messages(visit, project.id(), SHOWN, cursor);
    return Reply.page(
        "projects/hook.jte",
        "Git hook, " + project.name(),
        Section.PROJECTS,
        new GitHookPage(
            heads.of(visit, project),
            sections.of(visit, project.id(), found.records()),
            made,
            cursor.isEmpty(),
            found.nextCursor()));
  }

  private static ProjectFacts project(Visit visit) {
    ProjectFacts project = ProjectFacts.of(visit, visit.path("project_id"));
    if (project.repo().isEmpty()) {
      throw new RequestException(
          ErrorCode.NOT_FOUND,
          "%s comes from archives: there is no git host to tell of pushes."
              .formatted(project.name()));
    }
    return project;
  }
}
