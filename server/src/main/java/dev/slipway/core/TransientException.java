package dev.slipway.core;

/** Something outside did not answer; the same call may succeed later, so a job retries it. */
public final class TransientException extends RuntimeException {
  public TransientException(String message) {
    super(message);
  }

  public TransientException(String message, Throwable cause) {
    super(message, cause);
  }
}
