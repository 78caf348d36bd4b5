package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.regex.Pattern;

/** An address by which a user signs in; two that differ in case alone are the same user's. */
record EmailAddress(String value) {
  private static final int MAX_LENGTH = 254;

  /** What is certainly wrong is refused; whether mail arrives there, only mail can tell. */
  private static final Pattern SHAPE = Pattern.compile("[^@\\s\\p{Cntrl}]+@[^@\\s\\p{Cntrl}]+");

  EmailAddress {
    if (value.length() > MAX_LENGTH || !SHAPE.matcher(value).matches()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "\"%s\" is no e-mail address; one looks like ada@example.org.".formatted(value));
    }
  }
}
