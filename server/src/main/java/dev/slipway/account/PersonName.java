package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;

/** What a user is called among people; may be empty. */
record PersonName(String value) {
  private static final int MAX_LENGTH = 100;

  PersonName {
    value = value.strip();
    if (value.length() > MAX_LENGTH || value.chars().anyMatch(Character::isISOControl)) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "A name has at most %d characters, on one line.".formatted(MAX_LENGTH));
    }
  }
}
