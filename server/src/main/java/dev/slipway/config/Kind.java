package dev.slipway.config;

import java.util.Optional;
import java.util.function.Function;

/**
 * What a value must look like.
 *
 * @param expectation completes the sentence "http.port must be …"
 * @param parse empty when the text is not of this kind
 * @param isText a number or a truth value of YAML is none of these: YAML may have changed it
 * @param isSecret no message shows the value
 */
record Kind<T>(
    String expectation, Function<String, Optional<T>> parse, boolean isText, boolean isSecret) {

  static <T> Kind<T> of(String expectation, Function<String, Optional<T>> parse) {
    return new Kind<>(expectation, parse, false, false);
  }

  static <T> Kind<T> text(String expectation, Function<String, Optional<T>> parse) {
    return new Kind<>(expectation, parse, true, false);
  }

  static <T> Kind<T> secret(String expectation, Function<String, Optional<T>> parse) {
    return new Kind<>(expectation, parse, true, true);
  }
}
