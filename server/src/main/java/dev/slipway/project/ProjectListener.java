package dev.slipway.project;

import org.jdbi.v3.core.Handle;

/** Told of what happens to a project in the very transaction in which it does. */
public interface ProjectListener {
  /** Its deployments have no addresses of their own any more. */
  default void previewsOff(Handle tx, Project project) {}

  /** Pull requests from other repositories have no previews any more. */
  default void previewForksOff(Handle tx, Project project) {}

  /** It shall have more instances, or fewer. */
  default void resized(Handle tx, Project project) {}

  /** It may sleep where nobody asks for it, sooner or later than before, or not any more. */
  default void sleepChanged(Handle tx, Project project) {}

  /** It is gone, save for its history. */
  default void deleted(Handle tx, Project project) {}
}
