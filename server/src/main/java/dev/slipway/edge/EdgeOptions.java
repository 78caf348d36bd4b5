package dev.slipway.edge;

import dev.slipway.core.Cidr;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where the edge listens and how long it waits.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 takes any free one
 * @param publicHost host name of API and dashboard, without port
 * @param appsDomain apps answer at {@code <label>.<appsDomain>}
 * @param trustedProxies whose {@code X-Forwarded-*} headers are believed; everybody else's are
 *     replaced
 * @param wakeLimit how long a request waits for an instance that is being started
 * @param headLimit from the first byte of a request to the end of its head
 * @param idleLimit how long a connection may stay open between two requests
 * @param https absent: no TLS
 */
public record EdgeOptions(
    String host,
    int port,
    String publicHost,
    String appsDomain,
    List<Cidr> trustedProxies,
    Duration wakeLimit,
    Duration headLimit,
    Duration idleLimit,
    Optional<HttpsOptions> https) {
  public EdgeOptions {
    publicHost = publicHost.toLowerCase(Locale.ROOT);
    appsDomain = appsDomain.toLowerCase(Locale.ROOT);
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** Default limits, no trusted proxies. */
  public EdgeOptions(String host, int port, String publicHost, String appsDomain) {
    this(
        host,
        port,
        publicHost,
        appsDomain,
        List.of(),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(75),
        Optional.empty());
  }

  public EdgeOptions withTrustedProxies(List<Cidr> proxies) {
    return new EdgeOptions(
        host, port, publicHost, appsDomain, proxies, wakeLimit, headLimit, idleLimit, https);
  }

  public EdgeOptions withWakeLimit(Duration limit) {
    return new EdgeOptions(
        host, port, publicHost, appsDomain, trustedProxies, limit, headLimit, idleLimit, https);
  }

  /** The limits on a connection that waits for a request, whole or in part. */
  public EdgeOptions withConnectionLimits(Duration head, Duration idle) {
    return new EdgeOptions(
        host, port, publicHost, appsDomain, trustedProxies, wakeLimit, head, idle, https);
  }

  public EdgeOptions withHttps(HttpsOptions options) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        trustedProxies,
        wakeLimit,
        headLimit,
        idleLimit,
        Optional.of(options));
  }
}
