package dev.slipway.preview;

import dev.slipway.core.PreviewId;
import dev.slipway.edge.Addresses;
import dev.slipway.hook.PreviewReport;
import dev.slipway.hook.PreviewReports;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectStore;
import java.net.URI;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Says how previews are doing, for those who look at the pull request. */
final class PreviewReporter implements PreviewReports {
  private final PreviewStore store;
  private final ProjectStore projects;
  private final Addresses addresses;

  PreviewReporter(PreviewStore store, ProjectStore projects, Addresses addresses) {
    this.store = store;
    this.projects = projects;
    this.addresses = addresses;
  }

  @Override
  public Optional<PreviewReport> report(Handle tx, PreviewId id) {
    return store
        .find(tx, id)
        .filter(preview -> projects.find(tx, preview.project()).filter(Project::deleted).isEmpty())
        .map(this::report);
  }

  private PreviewReport report(Preview preview) {
    return new PreviewReport(
        preview.project(),
        preview.head().number(),
        preview.head().commitSha(),
        status(preview.status()),
        preview.label().map(addresses::ofApp).map(URI::create),
        // For people, who read it below the pull request.
        URI.create(
            addresses.of(
                "/dashboard/projects/%s/previews/%s".formatted(preview.project(), preview.id()))),
        preview.newest().flatMap(Preview.Build::failure),
        preview.commentId());
  }

  private static PreviewReport.Status status(PreviewStatus status) {
    return switch (status) {
      case QUEUED -> PreviewReport.Status.QUEUED;
      case BUILDING -> PreviewReport.Status.BUILDING;
      case DEPLOYING -> PreviewReport.Status.DEPLOYING;
      case LIVE -> PreviewReport.Status.LIVE;
      case FAILED -> PreviewReport.Status.FAILED;
      case REMOVED -> PreviewReport.Status.REMOVED;
    };
  }

  @Override
  public void commented(Handle tx, PreviewId id, String commentId) {
    store.commented(tx, id, commentId);
  }
}
