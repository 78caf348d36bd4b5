package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.UploadId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.source.Commit;
import java.util.Optional;

/** A deployment: how far it has come, why it failed, its log, and what can be done about it. */
final class DeploymentPages implements Pages {
  private static final String PAGE = "/deployments/:deployment_id";

  private final DeploymentStates states;

  DeploymentPages(DeploymentStates states) {
    this.states = states;
  }

  @Override
  public void mount(Site site) {
    site.get(PAGE, this::show);
    site.get(PAGE + "/state", this::state);
    site.get(PAGE + "/log.txt", this::download);
    site.operation(PAGE + "/log", "getDeploymentLogs", Need.ANY);
    site.post(PAGE + "/cancel", Need.CHANGE, this::cancel, this::show);
    site.post(PAGE + "/redeploy", Need.CHANGE, this::redeploy, this::show);
    site.post(PAGE + "/rollback", Need.CHANGE, this::rollBack, this::show);
  }

  private record Asked(String id) {}

  private Reply show(Visit visit) {
    DeploymentService.Detail detail = states.read(visit);
    DeploymentState state = states.of(visit, detail);
    LogView log = states.log(detail.deployment()).view(visit, state.open());
    return Reply.page(
        "deployments/show.jte",
        "%s, %s".formatted(state.line().title(), state.line().project()),
        Section.PROJECTS,
        new DeploymentPage(state, log));
  }

  private Reply state(Visit visit) {
    DeploymentService.Detail detail = states.read(visit);
    return visit.query("seen").equals(Optional.of(DeploymentStates.shape(detail)))
        ? new Reply.Unchanged()
        : new Reply.Fragment("deployments/state.jte", states.of(visit, detail));
  }

  private Reply download(Visit visit) {
    Deployment deployment = states.read(visit).deployment();
    return states.log(deployment).whole(deployment.id() + ".log");
  }

  private Reply cancel(Visit visit) {
    visit.tell(of("cancelDeployment", visit));
    return Reply.done(DeploymentLine.path(visit.path("deployment_id")), Notice.CANCELED);
  }

  private Reply rollBack(Visit visit) {
    return new Reply.Elsewhere(
        DeploymentLine.path(visit.ask(of("rollBack", visit), Asked.class).id()));
  }

  /** The same commit or archive once more; the head of the branch where it found none. */
  private Reply redeploy(Visit visit) {
    Deployment deployment = states.read(visit).deployment();
    ObjectNode wish =
        JsonNodeFactory.instance
            .objectNode()
            .put("project_id", deployment.projectId().value())
            .put("rebuild", visit.form().checked("rebuild"));
    Deployment.Code code = deployment.code();
    if (code.upload().isPresent()) {
      code.upload().map(UploadId::value).ifPresent(it -> wish.put("upload_id", it));
    } else {
      code.commit()
          .map(Commit::sha)
          .or(code::requestedSha)
          .ifPresent(it -> wish.put("commit_sha", it));
    }
    Asked asked = visit.ask(LocalRequest.of("triggerDeployment").body(wish), Asked.class);
    return new Reply.Elsewhere(DeploymentLine.path(asked.id()));
  }

  private static LocalRequest of(String operation, Visit visit) {
    return LocalRequest.of(operation).path("deployment_id", visit.path("deployment_id"));
  }
}
