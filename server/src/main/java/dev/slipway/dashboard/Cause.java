package dev.slipway.dashboard;

import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import java.util.Optional;

/**
 * Why something failed, and what to do.
 *
 * @param title what failed
 * @param message what happened, as a sentence
 * @param project the path of the project's pages; absent where it is deleted
 * @param error the line of the log that tells of it first; absent where none does
 */
public record Cause(
    String title,
    FailureCode code,
    String message,
    Remedy remedy,
    Optional<String> project,
    Optional<BuildLog.ErrorPlace> error) {
  static Cause of(
      String title,
      Failure failure,
      Optional<String> project,
      Optional<BuildLog.ErrorPlace> error) {
    return new Cause(
        title, failure.code(), failure.message(), Remedy.of(failure.code()), project, error);
  }

  /** Where what has to be changed is; empty where nothing can be. */
  public String place() {
    return project.map(it -> it + remedy.place()).orElse("");
  }

  /** Empty where the log tells nothing. */
  public String errorHref() {
    return error.map(BuildLog.ErrorPlace::href).orElse("");
  }

  public String errorText() {
    return error.map(it -> "Show it in the log, line " + it.line()).orElse("");
  }

  /** That it was ended by somebody's wish, and nothing is wrong. */
  public boolean isMeant() {
    return isMeant(code);
  }

  static boolean isMeant(FailureCode code) {
    return code == FailureCode.CANCELED || code == FailureCode.SUPERSEDED;
  }
}
