package dev.slipway.domain;

/** What a look at the DNS of a domain found. */
sealed interface Finding {
  /** It leads here, and its holder may have it. */
  record Here() implements Finding {}

  /**
   * It does not.
   *
   * @param why a sentence for the user: what there is, and what there should be
   */
  record Elsewhere(String why) implements Finding {}

  /** DNS did not say. */
  record Unknown(String why) implements Finding {}
}
