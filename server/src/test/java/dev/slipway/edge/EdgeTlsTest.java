package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.Cidr;
import dev.slipway.edge.RawClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeTlsTest {
  private static final String WWW = "www.example.org";
  private static final Duration STRICT = Duration.ofDays(30);
  private final TestAuthority authority = new TestAuthority();
  private final TestEdge edge =
      new TestEdge(options ->
          options
              .withTrustedProxies(List.of(Cidr.parse("127.0.0.2")))
              .withHttps(new HttpsOptions(0, 8443, Optional.of(STRICT))));

  @AfterEach
  void close() {
    edge.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void eachNameIsServedWithItsCertificate(String algorithm) throws IOException {
    edge.route(WWW, edge.named("www"));
    edge.route("b.example", edge.named("b"));
    Instant now = Instant.now();
    HostCertificate www =
        authority.issue(algorithm, now.minusSeconds(60), now.plus(Duration.ofDays(1)), WWW);
    secure(Map.of(WWW, www, "b.example", authority.issue("b.example")));

    try (SSLSocket socket = handshake("WWW.Example.org")) {
      assertThat(peer(socket)).isEqualTo(www.chain().getFirst());
      assertThat(ask(socket, WWW).body()).isEqualTo("www");
    }
    try (SSLSocket socket = handshake("b.example")) {
      assertThat(ask(socket, "b.example").body()).isEqualTo("b");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aCertificateIsReplacedWithoutARestart(String version) throws IOException {
    edge.route(WWW, edge.named("www"));
    HostCertificate first = authority.issue(WWW);
    HostCertificate second = authority.issue(WWW);
    secure(Map.of(WWW, first));
    SSLSocket old = socket(WWW, version);
    old.startHandshake();

    secure(Map.of(WWW, second));
    try (SSLSocket renewed = socket(WWW, version)) {
      renewed.startHandshake();
      assertThat(peer(renewed)).isEqualTo(second.chain().getFirst());
    }
    assertThat(ask(old, WWW).body()).isEqualTo("www");
    old.close();
    secure(Map.of());
    assertThatThrownBy(() -> handshake(WWW)).isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void anUnknownNameIsRefusedUnlessTheOperatorHasACertificateForIt() throws IOException {
    edge.route(SHOP, edge.named("shop"));
    secure(Map.of(WWW, authority.issue(WWW)));
    assertThatThrownBy(() -> handshake(SHOP)).isInstanceOf(SSLHandshakeException.class);

    HostCertificate other = authority.issue("*.localhost", "localhost");
    edge.edge.secure(new TlsTable(Map.of(), Optional.of(other), Map.of()));
    try (SSLSocket socket = handshake(SHOP)) {
      assertThat(ask(socket, SHOP).body()).isEqualTo("shop");
    }
    try (SSLSocket socket = handshake("localhost")) {
      assertThat(ask(socket, "localhost").body()).isEqualTo("control");
    }
  }

  @Test
  void theAppIsToldThatItWasHttps() throws IOException {
    edge.route(
        WWW,
        edge.upstream(request ->
            request
                .response()
                .end(
                    request.getHeader("x-forwarded-proto")
                        + " "
                        + request.getHeader("x-forwarded-port"))));
    secure(Map.of(WWW, authority.issue(WWW)));

    try (SSLSocket socket = handshake(WWW)) {
      assertThat(ask(socket, WWW).body()).isEqualTo("https 443");
      assertThat(ask(socket, WWW + ":8443").body()).isEqualTo("https 8443");
    }
  }

  @Test
  void aNameWithACertificateIsAskedForByHttps() {
    edge.route(WWW, edge.named("www"));
    edge.route("b.example", edge.named("b"));
    secure(Map.of(WWW, authority.issue(WWW)));

    Answer answer =
        plain("POST /a?b=c HTTP/1.1\r\nHost: WWW.example.org\r\nContent-Length: 2\r\n\r\nhi");
    assertThat(answer.status()).isEqualTo(308);
    assertThat(answer.header("location")).isEqualTo("https://www.example.org:8443/a?b=c");
    assertThat(answer.header("strict-transport-security")).isEmpty();
    assertThat(plain("GET / HTTP/1.1\r\nHost: b.example\r\n\r\n").body()).isEqualTo("b");
  }

  @Test
  void whoeverClaimsToHaveComeByHttpsIsRedirectedUnlessItIsATrustedProxy() {
    edge.route(WWW, edge.named("www"));
    secure(Map.of(WWW, authority.issue(WWW)));
    String request = "GET / HTTP/1.1\r\nHost: www.example.org\r\nX-Forwarded-Proto: https\r\n\r\n";

    assertThat(plain(request).status()).isEqualTo(308);
    try (RawClient proxy = new RawClient(from("127.0.0.2"))) {
      assertThat(proxy.send(request).answer().body()).isEqualTo("www");
    }
  }

  @Test
  void browsersAreToldToStayWithHttpsUnlessTheAppSaysSomethingElse() throws IOException {
    edge.route(
        WWW,
        edge.upstream(request -> {
          if (request.uri().equals("/own")) {
            request.response().putHeader("Strict-Transport-Security", "max-age=0");
          }
          request.response().end("www");
        }));
    edge.route(SHOP, edge.named("shop"));
    edge.edge.secure(
        new TlsTable(
            Map.of(WWW, authority.issue(WWW)), Optional.of(authority.issue(SHOP)), Map.of()));

    try (SSLSocket socket = handshake(WWW)) {
      assertThat(ask(socket, WWW).header("strict-transport-security")).isEqualTo("max-age=2592000");
      assertThat(ask(socket, "/own", WWW).header("strict-transport-security"))
          .isEqualTo("max-age=0");
    }
    try (SSLSocket socket = handshake(SHOP)) {
      assertThat(ask(socket, SHOP).header("strict-transport-security")).isEmpty();
    }
  }

  @Test
  void anAuthoritysQuestionIsAnsweredByHttpAndOnlyWhereItIsKnown() {
    edge.route(WWW, edge.named("the app"));
    edge.edge.secure(
        new TlsTable(
            Map.of(WWW, authority.issue(WWW)), Optional.empty(), Map.of("token", "token.key")));

    String path = "GET /.well-known/acme-challenge/";
    assertThat(plain(path + "token HTTP/1.1\r\nHost: www.example.org\r\n\r\n").body())
        .isEqualTo("token.key");
    assertThat(plain(path + "token HTTP/1.1\r\nHost: not.yet.example\r\n\r\n").body())
        .isEqualTo("token.key");
    assertThat(plain(path + "other HTTP/1.1\r\nHost: www.example.org\r\n\r\n").body())
        .isEqualTo("the app");
    assertThat(plain(path + "other HTTP/1.1\r\nHost: not.yet.example\r\n\r\n").status())
        .isEqualTo(404);
  }

  @Test
  void aClientThatDoesNotFinishItsHandshakeIsClosed() throws IOException {
    try (TestEdge quick =
            new TestEdge(options ->
                options
                    .withClients(
                        ClientLimits.DEFAULTS.withWaits(
                            Duration.ofMillis(50), Duration.ofSeconds(60)))
                    .withHttps(new HttpsOptions(0, 443, Optional.empty())));
        RawClient client = new RawClient(quick.edge.securePort())) {
      assertThat(client.ends()).isTrue();
    }
  }

  private void secure(Map<String, HostCertificate> certificates) {
    edge.edge.secure(new TlsTable(certificates, Optional.empty(), Map.of()));
  }

  private Answer plain(String request) {
    return edge.client().send(request).answer();
  }

  private Socket from(String address) {
    try {
      return new Socket(
          InetAddress.getLoopbackAddress(), edge.edge.port(), InetAddress.ofLiteral(address), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SSLSocket handshake(String host) throws IOException {
    SSLSocket socket = socket(host, "TLSv1.3");
    socket.startHandshake();
    return socket;
  }

  private SSLSocket socket(String host, String version) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            authority
                .trust()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), edge.edge.securePort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(host)));
    parameters.setProtocols(new String[] {version});
    socket.setSSLParameters(parameters);
    return socket;
  }

  private static X509Certificate peer(SSLSocket socket) throws IOException {
    return (X509Certificate) socket.getSession().getPeerCertificates()[0];
  }

  private static Answer ask(SSLSocket socket, String host) {
    return ask(socket, "/", host);
  }

  private static Answer ask(SSLSocket socket, String path, String host) {
    return new RawClient(socket)
        .send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
        .answer();
  }
}
