package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.hook.GitHooks;
import dev.slipway.preview.PreviewStatus;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The previews of the pull requests of a project. */
final class PreviewListPages implements Pages {
  /** More than a project has open. */
  private static final String ALL = "100";

  private static final String REMOVED = "25";

  private final ProjectHeads heads;
  private final GitHooks hooks;

  PreviewListPages(ProjectHeads heads, GitHooks hooks) {
    this.heads = heads;
    this.hooks = hooks;
  }

  @Override
  public void mount(Site site) {
    String path = "/projects/:project_id/previews";
    site.get(path, this::show);
    site.get(
        path + "/open",
        visit -> new Reply.Fragment("previews/open.jte", read(visit, project(visit))));
  }

  private Reply show(Visit visit) {
    ProjectFacts project = project(visit);
    return Reply.page(
        "previews/list.jte", "Previews, " + project.name(), Section.PROJECTS, read(visit, project));
  }

  private PreviewsPage read(Visit visit, ProjectFacts project) {
    Optional<String> cursor = visit.query("cursor");
    LocalRequest newest = of(project, PreviewStatus.REMOVED, REMOVED);
    LocalApi.Listed<PreviewFacts> removed =
        visit.list(cursor.map(it -> newest.query("cursor", it)).orElse(newest), PreviewFacts.class);
    return new PreviewsPage(
        heads.of(visit, project),
        open(visit, project),
        removed.records(),
        !project.previews().equals("off"),
        hooks.hasSecret(visit.who().account().id(), new ProjectId(project.id())),
        cursor.isEmpty(),
        removed.nextCursor());
  }

  /** By their states in the order in which they are gone through: one that moves is not missed. */
  private static List<PreviewFacts> open(Visit visit, ProjectFacts project) {
    Map<String, PreviewFacts> found =
        Arrays.stream(PreviewStatus.values())
            .filter(status -> status != PreviewStatus.REMOVED)
            .flatMap(status ->
                visit.list(of(project, status, ALL), PreviewFacts.class).records().stream())
            .collect(Collectors.toMap(PreviewFacts::id, it -> it, (_, later) -> later));
    return found.values().stream()
        .sorted(Comparator.comparing(PreviewFacts::id).reversed())
        .toList();
  }

  private static LocalRequest of(ProjectFacts project, PreviewStatus status, String limit) {
    return LocalRequest.of("listPreviews")
        .path("project_id", project.id())
        .query("status", status.wireName())
        .query("limit", limit);
  }

  private static ProjectFacts project(Visit visit) {
    ProjectFacts project = ProjectFacts.of(visit, visit.path("project_id"));
    if (project.repo().isEmpty()) {
      throw new RequestException(
          ErrorCode.NOT_FOUND,
          "%s comes from archives: it has no pull requests.".formatted(project.name()));
    }
    return project;
  }
}
