package dev.slipway.dashboard;

import java.util.List;

/** Where repositories are. */
public record GitHostsPage(List<Row> hosts) {
  /**
   * @param token whether there is one for the account of the one who looks
   */
  public record Row(String kind, String address, boolean token) {}
}
