package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** What a handler answers. */
sealed interface Answer {
  /** Wrapped in {@code data}. */
  record Data(int status, Object data) implements Answer {}

  /** One page of a list. */
  record Listed(Object data, Pagination pagination) implements Answer {}

  /** The handler writes the response itself. */
  record Streamed() implements Answer {}

  /**
   * @param nextCursor sent as null on the last page
   */
  record Pagination(boolean hasMore, @JsonInclude @Nullable String nextCursor) {}

  static Answer ok(Object data) {
    return new Data(200, data);
  }

  static Answer created(Object data) {
    return new Data(201, data);
  }
}
