package dev.slipway.core;

/** The request cannot be met as it stands; becomes an answer with the status of its code. */
public final class RequestException extends RuntimeException {
  private final ErrorCode code;

  /**
   * @param message a sentence for the client: what was wrong and what to do
   */
  public RequestException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }
}
