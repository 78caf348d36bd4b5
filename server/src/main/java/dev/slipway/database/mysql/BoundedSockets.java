package dev.slipway.database.mysql;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/**
 * Sockets that take no more than our questions can have as answers: somebody else's server would
 * else fill this server's memory. The driver makes it by its name.
 */
public final class BoundedSockets extends SocketFactory {
  private static final long MOST_BYTES = 8 << 20;

  /** For the driver. */
  public BoundedSockets() {}

  @Override
  public Socket createSocket() {
    return new BoundedSocket();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
    throw new UnsupportedOperationException();
  }

  private static final class BoundedSocket extends Socket {
    private final AtomicLong left = new AtomicLong(MOST_BYTES);

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          requireRoom();
          int read = super.read();
          left.decrementAndGet();
          return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          requireRoom();
          int read = super.read(into, offset, length);
          left.addAndGet(-Math.max(read, 0));
          return read;
        }
      };
    }

    private void requireRoom() throws IOException {
      if (left.get() <= 0) {
        throw new IOException("it answers with more than there can be to say");
      }
    }
  }
}
