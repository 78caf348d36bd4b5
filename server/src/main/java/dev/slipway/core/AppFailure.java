package dev.slipway.core;

/** The user's application or source is at fault: the deployment fails with this, unretried. */
public final class AppFailure extends RuntimeException {
  private final FailureCode code;

  /**
   * @param message a sentence for the user: what was wrong and what to change
   */
  public AppFailure(FailureCode code, String message) {
    super(message);
    this.code = code;
  }

  public AppFailure(FailureCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Failure failure() {
    return new Failure(code, String.valueOf(getMessage()));
  }
}
