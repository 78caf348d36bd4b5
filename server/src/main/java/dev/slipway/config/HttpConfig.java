package dev.slipway.config;

import java.net.URI;
import java.util.List;

/**
 * The plain port.
 *
 * @param host address to listen on
 * @param publicUrl under which clients reach the server; {@code http://localhost:<port>} unless set
 * @param trustedProxies addresses or networks whose {@code X-Forwarded-*} is believed
 * @param controlPort of 127.0.0.1, for API and dashboard where the edge is a process of its own
 * @param corsOrigins origins whose pages may call the API, {@code *} for all
 */
public record HttpConfig(
    String host,
    int port,
    URI publicUrl,
    int controlPort,
    List<String> trustedProxies,
    List<String> corsOrigins) {
  public static final HttpConfig DEFAULTS =
      new HttpConfig("127.0.0.1", 8080, localAddress(8080), 8081, List.of(), List.of());

  public HttpConfig {
    trustedProxies = List.copyOf(trustedProxies);
    corsOrigins = List.copyOf(corsOrigins);
  }

  static HttpConfig read(Section section) {
    int port = section.value("port", DEFAULTS.port, Kinds.PORT);
    HttpConfig config =
        new HttpConfig(
            section.value("host", DEFAULTS.host, Kinds.TEXT),
            port,
            section.value("public_url", localAddress(port), Kinds.WEB_ADDRESS),
            section.value("control_port", DEFAULTS.controlPort, Kinds.PORT),
            section.list("trusted_proxies", DEFAULTS.trustedProxies, Kinds.NETWORK),
            section.list("cors_origins", DEFAULTS.corsOrigins, Kinds.ORIGIN));
    section.end();
    return config;
  }

  private static URI localAddress(int port) {
    return URI.create("http://localhost:" + port);
  }
}
