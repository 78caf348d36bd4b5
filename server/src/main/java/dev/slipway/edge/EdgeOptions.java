package dev.slipway.edge;

import dev.slipway.core.Cidr;
import java.nio.file.Path;
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
 * @param answerPatience how long a request may wait for its answer before its instance is asked
 *     whether it answers at all
 * @param clients what a visitor's connection may take
 * @param https absent: no TLS
 * @param controlSocket where {@link ControlPlane.Apart} of another process passes requests on to
 *     this one; in a folder that is open to this user alone. What comes there is believed to say
 *     whose request it is
 */
public record EdgeOptions(
    String host,
    int port,
    String publicHost,
    String appsDomain,
    List<Cidr> trustedProxies,
    Duration wakeLimit,
    Duration answerPatience,
    ClientLimits clients,
    Optional<HttpsOptions> https,
    Optional<Path> controlSocket) {
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
        ClientLimits.DEFAULTS,
        Optional.empty(),
        Optional.empty());
  }

  public EdgeOptions withTrustedProxies(List<Cidr> proxies) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        proxies,
        wakeLimit,
        answerPatience,
        clients,
        https,
        controlSocket);
  }

  public EdgeOptions withWakeLimit(Duration limit) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        trustedProxies,
        limit,
        answerPatience,
        clients,
        https,
        controlSocket);
  }

  EdgeOptions withAnswerPatience(Duration patience) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        trustedProxies,
        wakeLimit,
        patience,
        clients,
        https,
        controlSocket);
  }

  public EdgeOptions withClients(ClientLimits limits) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        trustedProxies,
        wakeLimit,
        answerPatience,
        limits,
        https,
        controlSocket);
  }

  public EdgeOptions withHttps(HttpsOptions options) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        trustedProxies,
        wakeLimit,
        answerPatience,
        clients,
        Optional.of(options),
        controlSocket);
  }

  public EdgeOptions withControlSocket(Path socket) {
    return new EdgeOptions(
        host,
        port,
        publicHost,
        appsDomain,
        trustedProxies,
        wakeLimit,
        answerPatience,
        clients,
        https,
        Optional.of(socket));
  }
}
