package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;

/** What an API key is for, by which people tell it from others. */
record KeyName(String value) {
  /** Of the key that an account is made with. */
  static final KeyName FIRST = new KeyName("first key");

  private static final int MAX_LENGTH = 100;

  KeyName {
    value = value.strip();
    if (value.isEmpty()
        || value.length() > MAX_LENGTH
        || value.chars().anyMatch(Character::isISOControl)) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "A key's name has 1 to %d characters, on one line.".formatted(MAX_LENGTH));
    }
  }
}
