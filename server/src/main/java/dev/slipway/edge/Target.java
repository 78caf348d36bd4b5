package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import io.vertx.core.net.SocketAddress;

/**
 * An instance that takes requests, and where.
 *
 * @param host or, where it begins with a slash, the path of a socket
 */
public record Target(InstanceId instance, String host, int port) {
  SocketAddress address() {
    return host.startsWith("/")
        ? SocketAddress.domainSocketAddress(host)
        : SocketAddress.inetSocketAddress(port, host);
  }
}
