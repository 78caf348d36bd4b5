package dev.slipway.sandbox;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes networks that lead out of the host and not into it, where the host allows. See
 * docs/decisions/017-network-of-builds.md.
 *
 * @param slirp the program that connects them, if there is one and it works
 * @param missing why there are none, and what to do: a sentence for the operator
 */
record WayOut(Scripts scripts, boolean root, Optional<String> slirp, String missing) {
  private static final Logger LOG = LoggerFactory.getLogger(WayOut.class);

  /** Where clouds answer what a machine may know of itself, its credentials among it. */
  private static final String LINK_LOCAL = "169.254.0.0/16";

  /** Tries it. */
  static WayOut detect(Scripts scripts, boolean root) {
    Optional<String> slirp = Commands.find("slirp4netns");
    boolean tools = List.of("ip", "nsenter", "unshare").stream().allMatch(WayOut::installed);
    if (slirp.isEmpty() || !tools) {
      return none(scripts, root, "install slirp4netns and iproute2");
    }
    if (!leadsOut()) {
      return none(scripts, root, "this host has no route over IPv4");
    }
    WayOut found = new WayOut(scripts, root, slirp, "");
    try (OutsideNetwork network = found.open(List.of())) {
      List<String> argv = new ArrayList<>(network.enter());
      argv.add("true");
      Commands.run(argv);
      return found;
    } catch (RuntimeException refused) {
      LOG.debug("a network of its own does not work here", refused);
      return none(scripts, root, "this host allows no network namespaces, or has no /dev/net/tun");
    }
  }

  /**
   * @param reached with an address and a port each; those that are on this host are let through to
   * @throws IllegalStateException if the host refuses what it allowed when it was tried
   */
  OutsideNetwork open(List<InetSocketAddress> reached) {
    List<InetSocketAddress> here = reached.stream().flatMap(WayOut::onThisHost).distinct().toList();
    return OutsideNetwork.open(scripts, slirp.orElseThrow(), root, closed(), here);
  }

  /** A name may have several addresses. */
  private static Stream<InetSocketAddress> onThisHost(InetSocketAddress place) {
    try {
      return Stream.of(InetAddress.getAllByName(place.getHostString()))
          .filter(address -> address instanceof Inet4Address && isOwn(address))
          .map(address -> new InetSocketAddress(address, place.getPort()));
    } catch (UnknownHostException e) {
      return Stream.empty(); // whoever looks for it will be told
    }
  }

  private static boolean isOwn(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      throw new IllegalStateException("the addresses of this host could not be read", e);
    }
  }

  private static WayOut none(Scripts scripts, boolean root, String missing) {
    return new WayOut(scripts, root, Optional.empty(), missing);
  }

  private static boolean installed(String program) {
    return Commands.find(program).isPresent();
  }

  private static boolean leadsOut() {
    try {
      return Files.readAllLines(Path.of("/proc/net/route")).size() > 1; // the first is the heading
    } catch (IOException noNetwork) {
      return false;
    }
  }

  /** A host is reached by its other addresses as well as by the loopback ones. */
  private static List<String> closed() {
    List<String> closed = new ArrayList<>(List.of(LINK_LOCAL));
    try {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
          .filter(address -> !address.isLinkLocalAddress())
          .forEach(address -> closed.add(address.getHostAddress() + "/32"));
      return closed.stream().distinct().toList();
    } catch (IOException e) {
      throw new IllegalStateException("the addresses of this host could not be read", e);
    }
  }
}
