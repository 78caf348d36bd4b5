package dev.slipway.hook;

import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.PreviewId;
import dev.slipway.hook.host.CommitStatus;
import dev.slipway.hook.host.CommitStatus.State;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectStore;
import java.net.URI;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** How previews are doing, said beside their commits and in a comment below their pull requests. */
final class PreviewedPullRequests implements Topic {
  private static final String PREFIX = "prv_";

  private final PreviewReports previews;
  private final ProjectStore projects;

  PreviewedPullRequests(PreviewReports previews, ProjectStore projects) {
    this.previews = previews;
    this.projects = projects;
  }

  @Override
  public boolean covers(String id) {
    return id.startsWith(PREFIX);
  }

  @Override
  public Optional<Words> words(Handle tx, String id) {
    return previews
        .report(tx, new PreviewId(id))
        .flatMap(report ->
            projects
                .find(tx, report.project())
                .filter(project -> !project.deleted())
                .map(project -> words(report, project)));
  }

  private static Words words(PreviewReport report, Project project) {
    return new Words(
        project,
        report.sha(),
        state(report).map(state -> status(report, project, state)),
        Optional.of(new Words.Remark(report.number(), report.commentId(), text(report, project))));
  }

  /**
   * Of one that was removed its commit's stays: it says what there was. Only where that was a build
   * which nobody waits for any more, something is said that does not wait.
   */
  private static Optional<State> state(PreviewReport report) {
    return switch (report.status()) {
      case QUEUED, BUILDING, DEPLOYING -> Optional.of(State.PENDING);
      case LIVE -> Optional.of(State.SUCCESS);
      case FAILED -> Optional.of(State.FAILURE);
      case REMOVED ->
          report
              .failure()
              .filter(failure -> failure.code() == FailureCode.CANCELED)
              .map(_ -> State.SUCCESS);
    };
  }

  /** Of another context than pushes: the same commit may become the project's. */
  private static CommitStatus status(PreviewReport report, Project project, State state) {
    URI target = report.url().filter(_ -> state == State.SUCCESS).orElse(report.log());
    String description =
        report
            .failure()
            .filter(_ -> state == State.FAILURE)
            .map(Failure::message)
            .orElse("Preview: %s.".formatted(word(report.status())));
    return new CommitStatus(
        state, "slipway/%s/preview".formatted(project.name()), description, target);
  }

  private static String word(PreviewReport.Status status) {
    return switch (status) {
      case QUEUED -> "waits to be built";
      case BUILDING -> "is being built";
      case DEPLOYING -> "is being started";
      case LIVE -> "live";
      case FAILED -> "failed";
      case REMOVED -> "removed";
    };
  }

  private static String text(PreviewReport report, Project project) {
    StringBuilder text = new StringBuilder();
    text.append("**Preview of `%s`: %s**\n".formatted(code(project.name()), word(report.status())));
    report.url().ifPresent(url -> text.append("\n- Address: %s".formatted(url)));
    text.append("\n- Commit: %s".formatted(report.sha()));
    text.append("\n- Log: %s\n".formatted(report.log()));
    report
        .failure()
        .filter(_ -> report.status() == PreviewReport.Status.FAILED)
        .ifPresent(failure -> text.append("\n```\n%s\n```\n".formatted(code(failure.message()))));
    return text.toString();
  }

  /** Within code nothing is a link, a picture or the name of somebody who is called. */
  private static String code(String text) {
    return text.replace('`', '\'');
  }

  @Override
  public void commented(Handle tx, String id, String comment) {
    previews.commented(tx, new PreviewId(id), comment);
  }
}
