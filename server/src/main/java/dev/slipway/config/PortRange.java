package dev.slipway.config;

/** Ports from {@code first} to {@code last}, both included. */
public record PortRange(int first, int last) {
  public PortRange {
    if (first < 1 || last < first || last > 65_535) {
      throw new IllegalArgumentException("not a range of ports: " + first + "-" + last);
    }
  }

  public boolean contains(int port) {
    return port >= first && port <= last;
  }
}
