package dev.slipway.core;

import java.util.Locale;

/** Why a migration or deployment failed: the {@code code} of its field {@code error}. Closed. */
public enum FailureCode {
  SOURCE_UNREACHABLE,
  SOURCE_NOT_FOUND,
  BRANCH_NOT_FOUND,
  COMMIT_NOT_FOUND,
  ARCHIVE_REFUSED,
  UPLOAD_EXPIRED,
  FRAMEWORK_NOT_DETECTED,
  START_COMMAND_MISSING,
  INSTALL_FAILED,
  BUILD_FAILED,
  STEP_TIMEOUT,
  OUT_OF_MEMORY,
  PROCESS_LIMIT,
  DISK_LIMIT,
  DISK_FULL,
  START_FAILED,
  HEALTH_CHECK_FAILED,
  DATABASE_UNREACHABLE,
  DATABASE_FAILED,
  SUPERSEDED,
  CANCELED,
  INTERNAL_ERROR;

  /** As the API writes it, for example {@code install_failed}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static FailureCode ofWireName(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
