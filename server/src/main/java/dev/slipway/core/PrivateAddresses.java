package dev.slipway.core;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Addresses that mean something else to each machine, and so must not be taken from a stranger:
 * those of this machine, of the networks around it, and of what clouds tell a machine about itself.
 */
public final class PrivateAddresses {
  private static final List<Cidr> RANGES =
      Stream.of(
              "0.0.0.0/8", // this machine
              "10.0.0.0/8",
              "100.64.0.0/10", // behind a provider's translation; Alibaba's metadata
              "127.0.0.0/8",
              "168.63.129.16", // Azure's machine agent
              "169.254.0.0/16", // link-local: the metadata of most clouds
              "172.16.0.0/12",
              "192.0.0.0/24", // Oracle's metadata
              "192.168.0.0/16",
              "198.18.0.0/15", // between networks under test
              "224.0.0.0/3", // many receivers, reserved, all receivers
              "::/96", // none, this machine, and an old way to write those of IPv4
              "64:ff9b:1::/48", // translated within a network
              "2001::/32", // tunnels, which may lead to those of IPv4
              "2002::/16",
              "fc00::/7", // Amazon's metadata over IPv6
              "fe80::/9", // link-local and site-local
              "ff00::/8")
          .map(Cidr::parse)
          .toList();

  /** Translators reach those of IPv4 by these. */
  private static final Cidr TRANSLATED = Cidr.parse("64:ff9b::/96");

  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private PrivateAddresses() {}

  public static boolean contain(InetAddress address) {
    InetAddress meant = meant(address);
    return RANGES.stream().anyMatch(range -> range.contains(meant));
  }

  private static InetAddress meant(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean mapped =
        bytes.length > MAPPED.length
            && Arrays.equals(bytes, 0, MAPPED.length, MAPPED, 0, MAPPED.length);
    if (!mapped && !TRANSLATED.contains(address)) {
      return address;
    }
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(bytes, MAPPED.length, bytes.length));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }
}
