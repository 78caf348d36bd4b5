package dev.slipway.dashboard;

import java.util.Optional;

/**
 * What a preview has come to: the part of its page that changes while it is under way.
 *
 * @param project the name of its project
 * @param error where its log tells first why its newest build failed
 * @param shape changes whenever this would be shown otherwise
 */
public record PreviewState(
    String project, PreviewFacts preview, Optional<BuildLog.ErrorPlace> error, String shape) {

  /** Where its project is. */
  public String projectPath() {
    return ProjectHead.path(preview.projectId());
  }

  /** Where it is asked for anew. */
  public String poll() {
    return "%s/state?seen=%s".formatted(preview.path(), shape);
  }

  /** Empty where the log tells nothing. */
  public String errorHref() {
    return error.map(BuildLog.ErrorPlace::href).orElse("");
  }

  public String errorText() {
    return error.map(it -> "Show it in the log, line " + it.line()).orElse("");
  }
}
