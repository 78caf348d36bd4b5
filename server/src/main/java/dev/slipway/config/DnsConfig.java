package dev.slipway.config;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where the names of custom domains are looked up.
 *
 * @param servers none means those that this machine asks
 */
public record DnsConfig(List<InetSocketAddress> servers) {
  public DnsConfig {
    servers = List.copyOf(servers);
  }

  static DnsConfig read(Section section) {
    DnsConfig config = new DnsConfig(section.list("servers", List.of(), Kinds.DNS_SERVER));
    section.end();
    return config;
  }
}
