package dev.slipway.edge;

import dev.slipway.core.Cidr;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whose request it is: the address of the connection, or, where that is a trusted proxy's, the
 * nearest one of {@code X-Forwarded-For} that is not. An IPv6 address stands for its /64, which is
 * what one customer gets.
 */
public record ClientAddress(List<Cidr> trustedProxies) {
  private static final int IPV6_CUSTOMER_BYTES = 8;

  public ClientAddress {
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** As text that is the same for all ways to write an address. */
  public String of(HttpServerRequest request) {
    return text(find(request));
  }

  /** The very address. */
  String address(HttpServerRequest request) {
    return trustedProxies.isEmpty() && !request.remoteAddress().isDomainSocket()
        ? request.remoteAddress().hostAddress()
        : find(request).getHostAddress();
  }

  private InetAddress find(HttpServerRequest request) {
    // Several lines are one list (RFC 9110, 5.3); each proxy has added to its end.
    List<String> chain =
        Arrays.asList(String.join(",", request.headers().getAll("X-Forwarded-For")).split(",", -1));
    if (request.remoteAddress().isDomainSocket()) { // our own edge, which has added its client
      InetAddress client =
          literal(chain.getLast().strip()).orElseGet(InetAddress::getLoopbackAddress);
      return nearestStranger(client, chain.subList(0, chain.size() - 1));
    }
    return nearestStranger(InetAddress.ofLiteral(request.remoteAddress().hostAddress()), chain);
  }

  private InetAddress nearestStranger(InetAddress nearest, List<String> chain) {
    InetAddress client = nearest;
    for (String hop : chain.reversed()) {
      Optional<InetAddress> before = isTrusted(client) ? literal(hop.strip()) : Optional.empty();
      if (before.isEmpty()) {
        break;
      }
      client = before.get();
    }
    return client;
  }

  private boolean isTrusted(InetAddress address) {
    return trustedProxies.stream().anyMatch(range -> range.contains(address));
  }

  /** Some proxies add a port, and brackets around IPv6. */
  private static Optional<InetAddress> literal(String hop) {
    String address = hop;
    if (hop.startsWith("[") && hop.indexOf(']') > 0) {
      address = hop.substring(1, hop.indexOf(']'));
    } else if (hop.indexOf('.') > 0 && hop.indexOf(':') == hop.lastIndexOf(':')) {
      address = hop.replaceFirst(":\\d+$", "");
    }
    try {
      return Optional.of(InetAddress.ofLiteral(address));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String text(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == 4) {
      return address.getHostAddress();
    }
    Arrays.fill(bytes, IPV6_CUSTOMER_BYTES, bytes.length, (byte) 0);
    try {
      return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
    } catch (UnknownHostException e) {
      throw new IllegalStateException("sixteen bytes are an address", e);
    }
  }
}
