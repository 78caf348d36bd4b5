package dev.slipway.hook;

import dev.slipway.core.PreviewId;
import dev.slipway.project.Project;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/** Keeps the pull requests that it is told of, and makes a preview of each in name alone. */
public final class TestPullRequests implements PullRequests {
  private final List<PullRequest> told = new CopyOnWriteArrayList<>();

  @Override
  public Reaction take(Handle tx, Project project, PullRequest pullRequest) {
    told.add(pullRequest);
    return Reaction.preview(PreviewId.next(), "A preview in name alone.");
  }

  List<PullRequest> told() {
    return List.copyOf(told);
  }
}
