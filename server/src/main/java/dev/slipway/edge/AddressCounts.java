package dev.slipway.edge;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many connections each client holds, on all event loops together. An IPv6 address stands for
 * its /64, which is what one customer gets. Thread-safe.
 */
final class AddressCounts {
  private static final int IPV6_CUSTOMER_BYTES = 8;

  private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
  private final int most;

  AddressCounts(int most) {
    this.most = most;
  }

  /** Whether one more is allowed; it is then to be let go of when it has ended. */
  boolean take(InetAddress client) {
    if (counts.merge(key(client), 1, Integer::sum) <= most) {
      return true;
    }
    letGo(client);
    return false;
  }

  void letGo(InetAddress client) {
    String key = key(client);
    if (counts.merge(key, -1, Integer::sum) == 0) {
      counts.remove(key, 0);
    }
  }

  private static String key(InetAddress client) {
    byte[] bytes = client.getAddress();
    int significant = bytes.length == 4 ? bytes.length : IPV6_CUSTOMER_BYTES;
    return Arrays.toString(Arrays.copyOf(bytes, significant));
  }
}
