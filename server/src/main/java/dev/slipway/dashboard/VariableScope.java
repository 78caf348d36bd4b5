package dev.slipway.dashboard;

import java.util.Locale;

/** Whose variables a page shows. */
public enum VariableScope {
  PRODUCTION("", "getEnvVars", "updateEnvVars", Notice.VARIABLES_SAVED),
  PREVIEWS(
      "/previews", "getPreviewEnvVars", "updatePreviewEnvVars", Notice.PREVIEW_VARIABLES_SAVED);

  private final String folder;
  private final String read;
  private final String update;
  private final Notice saved;

  VariableScope(String folder, String read, String update, Notice saved) {
    this.folder = folder;
    this.read = read;
    this.update = update;
    this.saved = saved;
  }

  /** Where the page of these is. */
  public String path(String project) {
    return ProjectHead.path(project) + route();
  }

  /** The same behind the path of a project. */
  String route() {
    return "/variables" + folder;
  }

  public String label() {
    return Badge.capital(name().toLowerCase(Locale.ROOT));
  }

  /** The operation that lists them. */
  String read() {
    return read;
  }

  /** The operation that changes some of them. */
  String update() {
    return update;
  }

  Notice saved() {
    return saved;
  }
}
