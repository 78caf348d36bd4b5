package dev.slipway.source.git;

import dev.slipway.core.Secret;
import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnection;
import org.jspecify.annotations.Nullable;

/**
 * Makes the HTTP connections of one fetch. Only those to the host's own origin carry its token, so
 * that a redirect elsewhere does not take it along; the last status is kept to explain a failure,
 * and what comes is counted.
 */
final class HostConnections implements HttpConnectionFactory {
  private static final String ENCODING = "Content-Encoding";

  private final OwnOrigin origin;
  private final FetchCount count;
  private volatile int lastStatus;

  HostConnections(URI base, Optional<Secret> token, FetchCount count) {
    this.origin = new OwnOrigin(base, token);
    this.count = count;
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

    /** Unpacked here and not by JGit: what is counted is what gets to the disk. */
    @Override
    public InputStream getInputStream() throws IOException {
      InputStream in = super.getInputStream();
      boolean packed = "gzip".equals(super.getHeaderField(ENCODING));
      return new CountedStream(packed ? new GZIPInputStream(in) : in, count);
    }

    @Override
    public @Nullable String getHeaderField(String name) {
      return name.equalsIgnoreCase(ENCODING) ? null : super.getHeaderField(name);
    }
  }
}
