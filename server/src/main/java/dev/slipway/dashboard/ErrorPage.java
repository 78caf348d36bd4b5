package dev.slipway.dashboard;

import dev.slipway.core.RequestException;

/**
 * What is shown where a page cannot be.
 *
 * @param message a sentence that says what to do
 */
public record ErrorPage(int status, String heading, String message) {
  static ErrorPage of(RequestException failure) {
    int status = failure.code().httpStatus();
    return new ErrorPage(status, heading(status), String.valueOf(failure.getMessage()));
  }

  private static String heading(int status) {
    return switch (status) {
      case 401 -> "You are signed out";
      case 403 -> "Not for you";
      case 404 -> "There is nothing here";
      case 429 -> "Too many attempts";
      case 503 -> "Not possible right now";
      default -> status >= 500 ? "Something went wrong" : "That does not work";
    };
  }
}
