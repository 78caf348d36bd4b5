package dev.slipway.project;

import dev.slipway.core.EnvVars;
import dev.slipway.core.ProjectId;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** What a project has variables for. The ones never get to the other. */
public enum EnvScope {
  /** Its own deployments. */
  PRODUCTION,
  /** Previews of its pull requests. */
  PREVIEWS;

  EnvVars read(ProjectStore store, Handle tx, ProjectId id) {
    return switch (this) {
      case PRODUCTION -> store.env(tx, id);
      case PREVIEWS -> store.previewEnv(tx, id);
    };
  }

  void write(ProjectStore store, Handle tx, ProjectId id, EnvVars env, Instant now) {
    switch (this) {
      case PRODUCTION -> store.setEnv(tx, id, env, now);
      case PREVIEWS -> store.setPreviewEnv(tx, id, env, now);
    }
  }

  /** What the audit log calls it that somebody has read the values. */
  String revealAction() {
    return switch (this) {
      case PRODUCTION -> "env_vars.reveal";
      case PREVIEWS -> "preview_env_vars.reveal";
    };
  }
}
