package dev.slipway.edge;

import java.util.Map;

/**
 * All routes at one moment; swapped as a whole.
 *
 * @param version grows with every change
 * @param routes by host name: lower case, no port
 */
public record RouteTable(long version, Map<String, Route> routes) {
  public static final RouteTable EMPTY = new RouteTable(0, Map.of());

  public RouteTable {
    routes = Map.copyOf(routes);
  }
}
