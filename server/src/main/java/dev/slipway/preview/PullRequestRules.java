package dev.slipway.preview;

import dev.slipway.edge.Routes;
import dev.slipway.hook.PullRequest;
import dev.slipway.hook.PullRequests;
import dev.slipway.hook.Reaction;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.source.BranchName;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Which pull requests get a preview, and what becomes of it when something happens to them. */
final class PullRequestRules implements PullRequests {
  /** Of one project; each may have a program running. */
  static final int MAX_OPEN = 20;

  private final PreviewStore store;
  private final PreviewChanges changes;
  private final Routes routes;

  PullRequestRules(PreviewStore store, PreviewChanges changes, Routes routes) {
    this.store = store;
    this.changes = changes;
    this.routes = routes;
  }

  @Override
  public Reaction take(Handle tx, Project project, PullRequest pullRequest) {
    Optional<Preview> open = store.open(tx, project.id(), pullRequest.number());
    return switch (pullRequest.action()) {
      case OPENED, UPDATED ->
          refusal(project, pullRequest)
              .map(reason -> refused(tx, open, reason))
              .orElseGet(() -> deployed(tx, project, open, Head.of(pullRequest)));
      case CLOSED ->
          open.map(preview -> removed(tx, preview, "The pull request is closed."))
              .orElseGet(() ->
                  Reaction.ignored(
                      "Pull request %d is closed and has no preview."
                          .formatted(pullRequest.number())));
    };
  }

  /** Why a pull request gets none. */
  private static Optional<String> refusal(Project project, PullRequest pullRequest) {
    if (project.settings().previews() == Previews.OFF) {
      return Optional.of("Previews are switched off: set previews to unlisted to have them.");
    }
    Optional<String> deployed = project.settings().branch();
    if (!deployed.equals(Optional.of(pullRequest.baseBranch()))) {
      return Optional.of(
          "Pull request %d goes into %s; previews are of what would go into %s, which is deployed."
              .formatted(
                  pullRequest.number(), pullRequest.baseBranch(), deployed.orElse("an archive")));
    }
    if (pullRequest.fork() && !project.settings().previewForks()) {
      return Optional.of(
          "Pull request %d comes from a fork; set preview_forks to true to have its author's programs run here."
              .formatted(pullRequest.number()));
    }
    return Optional.of(pullRequest.headBranch())
        .filter(branch -> !BranchName.isValid(branch))
        .map("%s is not a branch name that can be deployed."::formatted);
  }

  /** It may have had one, before it was to go into another branch. */
  private Reaction refused(Handle tx, Optional<Preview> open, String reason) {
    return open.map(preview -> removed(tx, preview, reason))
        .orElseGet(() -> Reaction.ignored(reason));
  }

  private Reaction deployed(Handle tx, Project project, Optional<Preview> open, Head head) {
    if (open.isEmpty()) {
      return store.open(tx, project.id()).size() < MAX_OPEN
          ? Reaction.preview(changes.make(tx, project, head), "The pull request gets a preview.")
          : Reaction.ignored(
              "The project has %d previews, as many as one may have: close a pull request, or remove a preview."
                  .formatted(MAX_OPEN));
    }
    Preview preview = open.get();
    if (preview.has(head)) {
      return Reaction.preview(preview.id(), "The preview has this commit.");
    }
    changes.update(tx, project, preview, head);
    return Reaction.preview(preview.id(), "The preview is brought up to date.");
  }

  private Reaction removed(Handle tx, Preview preview, String reason) {
    changes.remove(tx, preview);
    routes.changed(tx);
    return Reaction.preview(preview.id(), reason + " Its preview is removed.");
  }
}
