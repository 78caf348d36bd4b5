package dev.slipway.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One request to an endpoint.
 *
 * @param number from 1
 * @param requestHeaders those that are ours, as they were sent
 * @param answer absent where there was none
 * @param error a sentence that says why it was no success
 */
public record Attempt(
    int number,
    Instant at,
    Duration took,
    Map<String, String> requestHeaders,
    Optional<Answer> answer,
    Optional<String> error) {

  /**
   * What an endpoint answered.
   *
   * @param headers by name in lower case; of one that came several times, joined by commas
   * @param body its beginning
   */
  public record Answer(int status, Map<String, String> headers, String body) {}
}
