package dev.slipway.source.git;

import dev.slipway.core.Secret;
import java.io.IOException;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.util.Optional;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnection;

/**
 * Makes the HTTP connections of one fetch. Only those to the host's own origin carry its token, so
 * that a redirect elsewhere does not take it along; the last status is kept to explain a failure.
 */
final class HostConnections implements HttpConnectionFactory {
  private final OwnOrigin origin;
  private volatile int lastStatus;

  HostConnections(URI base, Optional<Secret> token) {
    this.origin = new OwnOrigin(base, token);
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
    origin
        .authorization(url.getProtocol(), url.getHost(), url.getPort())
        .ifPresent(login -> connection.setRequestProperty("Authorization", login));
    return connection;
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
