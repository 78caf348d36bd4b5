package dev.slipway.edge;

import java.time.Duration;

/**
 * What a visitor's connection may take.
 *
 * @param head from the first byte of a request to the end of its head
 * @param idle how long a connection may stay open between two requests
 * @param silence how long nothing may come of a body that is announced, and how long nothing of an
 *     answer may be taken
 * @param perAddress how many connections one address may hold, and how many requests it may have
 *     under way by HTTP/2; a trusted proxy as many as it likes
 * @param all how many connections there may be at a time
 */
public record ClientLimits(
    Duration head, Duration idle, Duration silence, int perAddress, int all) {
  public static final ClientLimits DEFAULTS =
      new ClientLimits(
          Duration.ofSeconds(10), Duration.ofSeconds(75), Duration.ofSeconds(60), 1_000, 10_000);

  public ClientLimits withWaits(Duration newHead, Duration newIdle) {
    return new ClientLimits(newHead, newIdle, silence, perAddress, all);
  }

  public ClientLimits withSilence(Duration limit) {
    return new ClientLimits(head, idle, limit, perAddress, all);
  }

  public ClientLimits withPerAddress(int connections) {
    return new ClientLimits(head, idle, silence, connections, all);
  }

  public ClientLimits withAll(int connections) {
    return new ClientLimits(head, idle, silence, perAddress, connections);
  }
}
