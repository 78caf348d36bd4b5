package dev.slipway.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A network of its own with a way out of the host and none to the host itself, save through its
 * doors. Programs that are given the same one reach each other. It ends when it is closed, and when
 * this server dies.
 */
final class OutsideNetwork implements SandboxSpec.Network {
  private static final Duration READY_WITHIN = Duration.ofSeconds(10);
  private static final Duration ENDED_WITHIN = Duration.ofSeconds(2);

  /** An address range that is nobody's (RFC 5737); of it .2 is the host and .3 answers for DNS. */
  private static final String RANGE = "198.51.100.0/24";

  static final String RESOLVER = "198.51.100.3";

  private final boolean root;
  private final Process holder;
  private final List<Process> parts = new ArrayList<>();
  private Optional<Doors> doors = Optional.empty();

  private OutsideNetwork(boolean root, Process holder) {
    this.root = root;
    this.holder = holder;
  }

  /**
   * @param closed addresses and ranges that shall not be reached
   * @param letThrough addresses of this host that are, each at one port
   * @throws IllegalStateException if the host does not allow it
   */
  static OutsideNetwork open(
      Scripts scripts,
      String slirp,
      boolean root,
      List<String> closed,
      List<InetSocketAddress> letThrough) {
    List<String> addresses = new ArrayList<>(closed);
    addresses.add("--");
    letThrough.forEach(place -> addresses.add(place.getAddress().getHostAddress()));
    Process holder =
        start(unshare(root), List.of("--", "/bin/sh", scripts.network().toString()), addresses);
    OutsideNetwork network = new OutsideNetwork(root, holder);
    boolean opened = false;
    try {
      awaitWord(holder);
      network.connect(scripts, slirp);
      if (!letThrough.isEmpty()) {
        network.letThrough(letThrough);
      }
      opened = true;
      return network;
    } finally {
      if (!opened) {
        network.close();
      }
    }
  }

  private void connect(Scripts scripts, String slirp) {
    Process wayOut =
        start(
            List.of("/bin/sh", scripts.wayOut().toString(), slirp, "--configure", "--mtu=65520"),
            List.of("--enable-sandbox", "--enable-seccomp", "--disable-host-loopback"),
            List.of("--cidr=" + RANGE, Long.toString(holder.pid()), "tap0"));
    parts.add(wayOut);
    awaitWord(wayOut);
  }

  private void letThrough(List<InetSocketAddress> places) {
    Doors outer = Doors.open(places);
    doors = Optional.of(outer);
    Process inner = start(enter(), List.of(), outer.innerEnd());
    parts.add(inner);
    awaitWord(inner);
  }

  /** What comes before a program in an argument vector to run it in there. */
  List<String> enter() {
    String target = Long.toString(holder.pid());
    String nsenter = Commands.find("nsenter").orElseThrow();
    return root
        ? List.of(nsenter, "--target", target, "--net", "--")
        : List.of(nsenter, "--target", target, "--user", "--preserve-credentials", "--net", "--");
  }

  /** Kills what holds it; programs that still run in it reach nothing any more. */
  @Override
  public void close() {
    parts.forEach(OutsideNetwork::end);
    end(holder);
    doors.ifPresent(Doors::close);
  }

  private static List<String> unshare(boolean root) {
    String unshare = Commands.find("unshare").orElseThrow();
    return root
        ? List.of(unshare, "--net")
        : List.of(unshare, "--user", "--map-root-user", "--net");
  }

  private static Process start(List<String> program, List<String> options, List<String> more) {
    List<String> argv = new ArrayList<>(program);
    argv.addAll(options);
    argv.addAll(more);
    ProcessBuilder builder =
        new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.DISCARD);
    Commands.clearEnvironment(builder);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the first byte that it says. */
  private static void awaitWord(Process process) {
    try (var reading = Executors.newVirtualThreadPerTaskExecutor()) {
      InputStream said = process.getInputStream();
      CompletableFuture<Integer> word = CompletableFuture.supplyAsync(() -> read(said), reading);
      try {
        if (word.get(READY_WITHIN.toMillis(), TimeUnit.MILLISECONDS) < 0) {
          throw new IllegalStateException("this host allows no network of its own");
        }
      } catch (TimeoutException | ExecutionException e) {
        throw new IllegalStateException("a network of its own did not get ready", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a network was made", e);
      } finally {
        if (!word.isDone()) {
          end(process); // ends the reading
        }
      }
    }
  }

  private static int read(InputStream said) {
    try {
      return said.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    Waiting.until(ENDED_WITHIN, () -> !process.isAlive());
  }
}
