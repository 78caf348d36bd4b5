package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.LocalRequest;

/** A project as a whole, and what can be done to what serves it. */
final class ProjectPages implements Pages {
  private final ProjectHeads heads;
  private final Overviews overviews;

  ProjectPages(ProjectHeads heads, Overviews overviews) {
    this.heads = heads;
    this.overviews = overviews;
  }

  @Override
  public void mount(Site site) {
    site.get("/projects/:id", this::show);
    site.get(
        "/projects/:id/state",
        visit ->
            new Reply.Fragment(
                "projects/state.jte",
                heads.state(visit, ProjectFacts.of(visit, visit.path("id")))));
    site.get(
        "/projects/:id/instances",
        visit ->
            new Reply.Fragment(
                "projects/instances.jte", overviews.production(visit, visit.path("id"))));
    site.post("/projects/:id/deploy", Need.CHANGE, this::deploy, this::show);
    site.post("/projects/:id/restart", Need.CHANGE, this::restart, this::show);
  }

  private Reply show(Visit visit) {
    OverviewPage page = overviews.of(visit, visit.path("id"));
    return Reply.page("projects/overview.jte", page.head().name(), Section.PROJECTS, page);
  }

  private record Triggered(String id) {}

  private Reply deploy(Visit visit) {
    ObjectNode wish = visit.form().json("commit_sha").put("project_id", visit.path("id"));
    if (visit.form().checked("rebuild")) {
      wish.put("rebuild", true);
    }
    Triggered deployment =
        visit.ask(LocalRequest.of("triggerDeployment").body(wish), Triggered.class);
    return new Reply.Elsewhere(DeploymentLine.path(deployment.id()));
  }

  private Reply restart(Visit visit) {
    String id = visit.path("id");
    visit.tell(LocalRequest.of("restartProject").path("project_id", id));
    return Reply.done(ProjectHead.path(id), Notice.RESTARTED);
  }
}
