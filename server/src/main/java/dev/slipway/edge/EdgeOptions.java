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
 * @param clients what a visitor's connection may take
 * @param https absent: no TLS
 */
public record EdgeOptions(
    String host,
    int port,
    String publicHost,
    String appsDomain,
    List<Cidr> trustedProxies,
    Duration wakeLimit,
    ClientLimits clients,
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
        ClientLimits.DEFAULTS,
        Optional.empty());
  }

  public EdgeOptions withTrustedProxies(List<Cidr> proxies) {
    return new EdgeOptions(host, port, publicHost, appsDomain, proxies, wakeLimit, clients, https);
  }

  public EdgeOptions withWakeLimit(Duration limit) {
    return new EdgeOptions(
        host, port, publicHost, appsDomain, trustedProxies, limit, clients, https);
  }

  public EdgeOptions withClients(ClientLimits limits) {
    return new EdgeOptions(
        host, port, publicHost, appsDomain, trustedProxies, wakeLimit, limits, https);
  }

  public EdgeOptions withHttps(HttpsOptions options) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        trustedProxies,
        wakeLimit,
        clients,
        Optional.of(options));
  }
}
