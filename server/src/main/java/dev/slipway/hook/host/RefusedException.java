package dev.slipway.hook.host;

/** A git host does not do what we ask; the message says what it answered. */
public final class RefusedException extends RuntimeException {
  RefusedException(String message) {
    super(message);
  }
}
