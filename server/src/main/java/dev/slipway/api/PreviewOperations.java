package dev.slipway.api;

import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.preview.Head;
import dev.slipway.preview.Preview;
import dev.slipway.preview.PreviewService;
import dev.slipway.preview.PreviewStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /projects/{project_id}/previews}. */
public final class PreviewOperations implements Operations {
  private final PreviewService previews;
  private final DeploymentLogs logs;
  private final Paging paging;

  PreviewOperations(PreviewService previews, DeploymentLogs logs, Paging paging) {
    this.previews = previews;
    this.logs = logs;
    this.paging = paging;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listPreviews", this::list,
        "getPreview", this::get,
        "removePreview", this::remove,
        "redeployPreview", this::redeploy,
        "getPreviewLogs", this::logs);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of("getPreviewLogs", DeploymentLogs::check);
  }

  record View(
      String id,
      String projectId,
      int number,
      String title,
      String author,
      String branch,
      String baseBranch,
      String repo,
      boolean fork,
      String commitSha,
      Optional<String> commitMessage,
      String status,
      Optional<String> url,
      String webUrl,
      Optional<FailureView> error,
      Optional<String> framework,
      Instant createdAt,
      Instant updatedAt,
      Optional<Instant> removedAt,
      String logsUrl) {}

  private Answer list(Call call) {
    ProjectId project = project(call);
    Optional<PreviewStatus> status = call.query("status").flatMap(PreviewStatus::ofWireName);
    return paging.page(
        call,
        "previews " + project + " " + status,
        (after, limit) ->
            previews.list(call.account(), project, status, after.map(PreviewId::new), limit),
        detail -> detail.preview().id().value(),
        PreviewOperations::view);
  }

  private Answer get(Call call) {
    return Answer.ok(view(previews.get(call.account(), project(call), id(call))));
  }

  private Answer remove(Call call) {
    previews.remove(call.account(), project(call), id(call));
    return Answer.ok(new DeletedView(id(call).value(), true));
  }

  private Answer redeploy(Call call) {
    return Answer.created(view(previews.redeploy(call.account(), project(call), id(call))));
  }

  private Answer logs(Call call) throws InterruptedException {
    return logs.answer(
        call,
        () -> previews.logId(call.account(), project(call), id(call)),
        places -> previews.programLog(call.account(), project(call), id(call), places));
  }

  private static View view(PreviewService.Detail detail) {
    Preview preview = detail.preview();
    Head head = preview.head();
    return new View(
        preview.id().value(),
        preview.project().value(),
        head.number(),
        head.title(),
        head.author(),
        head.branch(),
        head.baseBranch(),
        head.repo().value(),
        head.fork(),
        head.commitSha(),
        preview.newest().flatMap(Preview.Build::commitMessage),
        preview.status().wireName(),
        detail.url(),
        head.webUrl().toString(),
        preview.newest().flatMap(Preview.Build::failure).map(FailureView::of),
        preview.newest().flatMap(Preview.Build::framework),
        preview.createdAt(),
        preview.updatedAt(),
        preview.removedAt(),
        detail.logsUrl());
  }

  private static ProjectId project(Call call) {
    return new ProjectId(call.path("project_id"));
  }

  private static PreviewId id(Call call) {
    return new PreviewId(call.path("preview_id"));
  }
}
