package dev.slipway.preview;

import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentListener;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectListener;
import org.jdbi.v3.core.Handle;

/** What becomes of previews when something becomes of their project, or of what they deploy. */
final class PreviewFollower implements ProjectListener, DeploymentListener {
  private final PreviewStore store;
  private final PreviewChanges changes;

  PreviewFollower(PreviewStore store, PreviewChanges changes) {
    this.store = store;
    this.changes = changes;
  }

  @Override
  public void previewsOff(Handle tx, Project project) {
    store.open(tx, project.id()).forEach(preview -> changes.remove(tx, preview));
  }

  @Override
  public void previewForksOff(Handle tx, Project project) {
    store.open(tx, project.id()).stream()
        .filter(preview -> preview.head().fork())
        .forEach(preview -> changes.remove(tx, preview));
  }

  @Override
  public void deleted(Handle tx, Project project) {
    previewsOff(tx, project);
  }

  @Override
  public void moved(Handle tx, Deployment deployment) {
    if (deployment.hidden()) {
      store.behind(tx, deployment.projectId()).ifPresent(id -> changes.moved(tx, id));
    }
  }
}
