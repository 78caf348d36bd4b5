package dev.slipway.core;

import java.net.InetAddress;

/**
 * A range of addresses, as in {@code 10.0.0.0/8} or {@code fd00::/8}; a bare address is a range of
 * one.
 *
 * @param prefixBits how many leading bits count
 */
public record Cidr(InetAddress network, int prefixBits) {
  public Cidr {
    int bits = network.getAddress().length * 8;
    if (prefixBits < 0 || prefixBits > bits) {
      throw new IllegalArgumentException(
          "the prefix of %s must be 0 to %d, not %d"
              .formatted(network.getHostAddress(), bits, prefixBits));
    }
  }

  /**
   * @throws IllegalArgumentException with a sentence where {@code text} is no range
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    try {
      InetAddress network = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
      int bits = network.getAddress().length * 8;
      return new Cidr(network, slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number after the slash of " + text, e);
    }
  }

  /** Never true for an address of the other family. */
  public boolean contains(InetAddress address) {
    byte[] mine = network.getAddress();
    byte[] other = address.getAddress();
    if (mine.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < prefixBits; bit++) {
      int mask = 0x80 >> (bit & 7);
      if ((mine[bit >> 3] & mask) != (other[bit >> 3] & mask)) {
        return false;
      }
    }
    return true;
  }
}
