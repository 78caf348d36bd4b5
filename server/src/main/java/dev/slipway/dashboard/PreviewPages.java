package dev.slipway.dashboard;

import dev.slipway.api.LocalRequest;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.preview.Preview;
import dev.slipway.preview.PreviewService;
import dev.slipway.runlog.RunLogs;
import java.util.Optional;

/** The preview of a pull request: how far it has come, its log, and what can be done about it. */
final class PreviewPages implements Pages {
  private static final String PAGE = "/projects/:project_id/previews/:preview_id";

  private final PreviewService previews;
  private final RunLogs logs;

  PreviewPages(PreviewService previews, RunLogs logs) {
    this.previews = previews;
    this.logs = logs;
  }

  @Override
  public void mount(Site site) {
    site.get(PAGE, this::show);
    site.get(PAGE + "/state", this::state);
    site.get(PAGE + "/log.txt", this::download);
    site.operation(PAGE + "/log", "getPreviewLogs", Need.ANY);
    site.post(PAGE + "/redeploy", Need.CHANGE, this::redeploy, this::show);
    site.post(PAGE + "/remove", Need.CHANGE, this::remove, this::show);
  }

  private Reply show(Visit visit) {
    PreviewFacts preview = visit.ask(at(visit, "getPreview"), PreviewFacts.class);
    Optional<BuildLog> log = log(visit, preview);
    return Reply.page(
        "previews/show.jte",
        preview.name(),
        Section.PROJECTS,
        new PreviewPage(
            state(visit, preview, log), log.map(it -> it.view(visit, preview.isOpen()))));
  }

  private Reply state(Visit visit) {
    PreviewFacts preview = visit.ask(at(visit, "getPreview"), PreviewFacts.class);
    Optional<BuildLog> log = log(visit, preview);
    String seen = visit.query("seen").orElse("");
    if (seen.equals(shape(preview, log))) {
      return new Reply.Unchanged();
    }
    return seen.endsWith(build(log))
        ? new Reply.Fragment("previews/state.jte", state(visit, preview, log))
        : new Reply.Elsewhere(preview.path()); // a push came, and the page has another one's log
  }

  private Reply download(Visit visit) {
    PreviewFacts preview = visit.ask(at(visit, "getPreview"), PreviewFacts.class);
    return log(visit, preview)
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.NOT_FOUND, "The log of this preview is not kept any more."))
        .whole(preview.id() + ".log");
  }

  private Reply redeploy(Visit visit) {
    visit.tell(at(visit, "redeployPreview"));
    return done(visit, Notice.PREVIEW_QUEUED);
  }

  private Reply remove(Visit visit) {
    visit.tell(at(visit, "removePreview"));
    return done(visit, Notice.PREVIEW_REMOVED);
  }

  private static Reply done(Visit visit, Notice notice) {
    return Reply.done(
        PreviewFacts.path(visit.path("project_id"), visit.path("preview_id")), notice);
  }

  private static PreviewState state(Visit visit, PreviewFacts preview, Optional<BuildLog> log) {
    return new PreviewState(
        ProjectFacts.of(visit, preview.projectId()).name(),
        preview,
        preview
            .error()
            .filter(it -> !it.isMeant())
            .flatMap(_ -> log)
            .flatMap(it -> it.firstError(preview.createdAt())),
        shape(preview, log));
  }

  private static String shape(PreviewFacts preview, Optional<BuildLog> log) {
    return "%s-%s-%s"
        .formatted(
            preview.status(), preview.commitMessage().isPresent() ? "known" : "new", build(log));
  }

  /** Of which build this is. */
  private static String build(Optional<BuildLog> log) {
    return log.map(BuildLog::logId).orElse("none");
  }

  private Optional<BuildLog> log(Visit visit, PreviewFacts preview) {
    return previews
        .get(
            visit.who().account().id(),
            new ProjectId(preview.projectId()),
            new PreviewId(preview.id()))
        .preview()
        .newest()
        .map(Preview.Build::logId)
        .map(it -> new BuildLog(logs, it, "Build log", preview.path()));
  }

  private static LocalRequest at(Visit visit, String operation) {
    return LocalRequest.of(operation)
        .path("project_id", visit.path("project_id"))
        .path("preview_id", visit.path("preview_id"));
  }
}
