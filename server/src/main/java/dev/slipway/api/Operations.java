package dev.slipway.api;

import java.util.Map;

/** The handlers of one resource, by the contract's {@code operationId}. */
interface Operations {
  Map<String, Handler> handlers();

  /** What some of them ask of a request beyond the contract. */
  default Map<String, Check> checks() {
    return Map.of();
  }

  /** Runs on a virtual thread of the request's own; may block. */
  @FunctionalInterface
  interface Handler {
    Answer handle(Call call) throws Exception;
  }

  /**
   * Tells what a schema cannot say, such as what the configuration offers, together with what the
   * contract found: the body may break its schema, and lack every field.
   */
  @FunctionalInterface
  interface Check {
    void look(Call call, Faults faults);
  }
}
