package dev.slipway.instance;

import dev.slipway.config.PortRange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ports that instances are given, in turn: a port just released may still be known to someone.
 * Thread-safe.
 */
public final class PortPool {
  private final PortRange range;
  private final AtomicInteger next;

  public PortPool(PortRange range) {
    this.range = range;
    // Anywhere: those that were given before a restart of the server are in nobody's mind here.
    this.next =
        new AtomicInteger(ThreadLocalRandom.current().nextInt(range.last() - range.first() + 1));
  }

  /** A port that is not in {@code leased} and that no program of the host listens on. */
  OptionalInt free(Set<Integer> leased) {
    int size = range.last() - range.first() + 1;
    for (int i = 0; i < size; i++) {
      int port = range.first() + Math.floorMod(next.getAndIncrement(), size);
      if (!leased.contains(port) && isFree(port)) {
        return OptionalInt.of(port);
      }
    }
    return OptionalInt.empty();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // As an app would: a connection that still lingers is no obstacle, a listener is.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress((InetAddress) null, port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
