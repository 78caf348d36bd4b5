package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabasePlace;
import dev.slipway.db.StoreAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.function.Supplier;

/** Where this service keeps its own data: no application's database is there. */
final class OwnStore {
  private final Supplier<StoreAddress> address;

  OwnStore(Supplier<StoreAddress> address) {
    this.address = address;
  }

  /** Whether the host leads there now, by whatever name; asks DNS where the port is the same. */
  boolean isAt(DatabasePlace place) {
    return address.get().hosts().stream()
        .filter(own -> own.getPort() == place.port())
        .anyMatch(own -> meet(addresses(place.host()), addresses(own)));
  }

  /**
   * Names change: to be asked each time before somebody's database is connected to.
   *
   * @throws AppFailure {@code DATABASE_UNREACHABLE} where the host leads there now
   */
  void requireElsewhere(DatabasePlace place) {
    if (isAt(place)) {
      throw new AppFailure(
          FailureCode.DATABASE_UNREACHABLE,
          "%s leads to where this service keeps its own data: name another database."
              .formatted(place.host()));
    }
  }

  private static boolean meet(Set<InetAddress> theirs, Set<InetAddress> own) {
    return theirs.stream().anyMatch(own::contains)
        || (own.stream().anyMatch(OwnStore::isHere) && theirs.stream().anyMatch(OwnStore::isHere));
  }

  private static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      throw new IllegalStateException("the addresses of this host cannot be read", e);
    }
  }

  private static Set<InetAddress> addresses(InetSocketAddress unresolved) {
    return addresses(unresolved.getHostString());
  }

  private static Set<InetAddress> addresses(String host) {
    try {
      return Set.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return Set.of(); // whoever connects finds that out
    }
  }
}
