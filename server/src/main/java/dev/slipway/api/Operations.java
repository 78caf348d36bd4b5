package dev.slipway.api;

import java.util.Map;

/** The handlers of one resource, by the contract's {@code operationId}. */
interface Operations {
  Map<String, Handler> handlers();

  /** Runs on a virtual thread of the request's own; may block. */
  @FunctionalInterface
  interface Handler {
    Answer handle(Call call) throws Exception;
  }
}
