package dev.slipway.cli;

/** A command cannot be carried out, and the message says to the user why and what to do. */
final class CommandException extends RuntimeException {
  CommandException(String message) {
    super(message);
  }

  CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
