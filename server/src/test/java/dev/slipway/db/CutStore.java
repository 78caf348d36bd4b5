package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a test's store that the test can cut: the store is away for whoever takes it. */
public final class CutStore implements AutoCloseable {
  private final StoreAddress address;
  private final URI store;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  public CutStore(Database database) {
    this.address = database.address();
    this.store = URI.create(address.jdbcUrl().substring("jdbc:".length()));
    try {
      listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(this::accept);
  }

  public StoreAddress address() {
    return new StoreAddress(
        address.jdbcUrl().replace(store.getAuthority(), "127.0.0.1:" + listener.getLocalPort()),
        address.user(),
        address.password());
  }

  public void cut() {
    cut = true;
    open.forEach(CutStore::end);
  }

  public void mend() {
    cut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        open.add(client);
        if (cut) {
          end(client);
        } else {
          Socket server = new Socket(store.getHost(), store.getPort());
          open.add(server);
          Thread.startVirtualThread(() -> pass(client, server));
          Thread.startVirtualThread(() -> pass(server, client));
          if (cut) {
            end(client);
            end(server);
          }
        }
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // cut
    } finally {
      end(from);
      end(to);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    cut();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
