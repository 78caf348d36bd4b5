package dev.slipway.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What is refused, and why. */
final class Refusals {
  private Refusals() {}

  /**
   * @param hint a part of the sentence
   */
  static void assertRefused(ThrowingCallable work, ErrorCode code, String hint) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            RequestException.class, refused -> assertThat(refused.code()).isEqualTo(code))
        .hasMessageContaining(hint);
  }
}
