package dev.slipway.core;

import java.util.Locale;

/** The codes of an error answer of the main API, each with its HTTP status. The list is closed. */
public enum ErrorCode {
  INVALID_REQUEST(400),
  INVALID_JSON(400),
  INVALID_CURSOR(400),
  ROLLBACK_NOT_ALLOWED(400),
  UNAUTHORIZED(401),
  FORBIDDEN(403),
  NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  CONFLICT(409),
  IDEMPOTENCY_IN_PROGRESS(409),
  PAYLOAD_TOO_LARGE(413),
  UNSUPPORTED_MEDIA_TYPE(415),
  IDEMPOTENCY_MISMATCH(422),
  RATE_LIMITED(429),
  INTERNAL_ERROR(500),
  UNAVAILABLE(503);

  private final int httpStatus;

  ErrorCode(int httpStatus) {
    this.httpStatus = httpStatus;
  }

  public int httpStatus() {
    return httpStatus;
  }

  /** As the API writes it, for example {@code not_found}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
