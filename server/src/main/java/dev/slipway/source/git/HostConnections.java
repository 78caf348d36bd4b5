package dev.slipway.source.git;

import dev.slipway.core.Secret;
import java.io.IOException;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnection;

/**
 * Makes the HTTP connections of one fetch. Only those to the host's own origin carry its token, so
 * that a redirect elsewhere does not take it along; the last status is kept to explain a failure.
 */
final class HostConnections implements HttpConnectionFactory {
  /** Hosts take any user name beside a token; this one is GitHub's. */
  private static final String USER = "x-access-token";

  private final String origin;
  private final Optional<Secret> token;
  private volatile int lastStatus;

  HostConnections(URI base, Optional<Secret> token) {
    this.origin = origin(base.getScheme(), base.getHost(), base.getPort());
    this.token = token;
  }

  /** The last status that any server answered, 0 where none did. */
  int lastStatus() {
    return lastStatus;
  }

  @Override
  public HttpConnection create(URL url) throws IOException {
    return create(url, Proxy.NO_PROXY);
  }

  @Override
  public HttpConnection create(URL url, Proxy proxy) throws IOException {
    HttpConnection connection = new Connection(url, proxy);
    connection.setInstanceFollowRedirects(false);
    if (token.isPresent()
        && origin.equals(origin(url.getProtocol(), url.getHost(), url.getPort()))) {
      byte[] pair = (USER + ":" + token.get().reveal()).getBytes(StandardCharsets.UTF_8);
      connection.setRequestProperty(
          "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
    }
    return connection;
  }

  private static String origin(String scheme, String host, int port) {
    int standard = scheme.equalsIgnoreCase("https") ? 443 : 80;
    return (scheme + "://" + host + ":" + (port < 0 ? standard : port)).toLowerCase(Locale.ROOT);
  }

  private final class Connection extends JDKHttpConnection {
    Connection(URL url, Proxy proxy) throws IOException {
      super(url, proxy);
    }

    @Override
    public int getResponseCode() throws IOException {
      int status = super.getResponseCode();
      lastStatus = status;
      return status;
    }
  }
}
