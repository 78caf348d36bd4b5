package dev.slipway.source.git;

import dev.slipway.core.PrivateAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Whether we follow an address that a git host answered. The operator trusts the host for itself,
 * not to send us into the networks that this machine is in.
 *
 * @param host its own address
 */
record AnsweredAddresses(URI host) {
  /** An address that is not followed; the message is part of a sentence. */
  static final class Refused extends IOException {
    Refused(String message) {
      super(message);
    }
  }

  /**
   * Blocks on the resolver. Ask right before connecting: the JVM keeps what a name resolved to for
   * 30 s, so that what was looked at is what is connected to.
   */
  void require(URI address) throws Refused {
    if (OwnOrigin.same(host, address)) {
      return;
    }
    List<InetAddress> inside =
        resolved(address).stream().filter(PrivateAddresses::contain).toList();
    if (!inside.isEmpty() && !resolved(host).containsAll(inside)) {
      throw new Refused(
          "%s sends us to %s, whose address is not one of the public internet"
              .formatted(host.getHost(), address.getHost()));
    }
  }

  /** Empty where it is unknown, which connecting to it tells. */
  private static List<InetAddress> resolved(URI address) {
    try {
      return List.of(InetAddress.getAllByName(address.getHost()));
    } catch (UnknownHostException unknown) {
      return List.of();
    }
  }
}
