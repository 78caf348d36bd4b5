package dev.slipway.instance;

import java.time.Duration;

/**
 * How long a program that does not answer yet is waited for.
 *
 * @param limit for all of it
 * @param look how often one looks at what it does instead
 * @param tell how long that has to be the same before it is worth a line of the log
 * @param elsewhere how long it may listen where nobody asks, before it is taken to stay there
 * @param faults how long it may answer with one and the same fault, before it is taken to go on
 */
public record Patience(
    Duration limit, Duration look, Duration tell, Duration elsewhere, Duration faults) {
  /** What suits people and most programs; see decision 027. */
  public static Patience of(Duration limit) {
    return new Patience(
        limit,
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(20));
  }
}
