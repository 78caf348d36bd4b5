package dev.slipway.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A network of its own with a way out of the host and none to the host itself. Programs that are
 * given the same one reach each other. It ends when it is closed, and when this server dies.
 */
final class OutsideNetwork implements SandboxSpec.Network {
  private static final Duration READY_WITHIN = Duration.ofSeconds(10);
  private static final Duration ENDED_WITHIN = Duration.ofSeconds(2);

  /** An address range that is nobody's (RFC 5737); of it .2 is the host and .3 answers for DNS. */
  private static final String RANGE = "198.51.100.0/24";

  static final String RESOLVER = "198.51.100.3";

  private final boolean root;
  private final Process holder;
  private final Process wayOut;

  private OutsideNetwork(boolean root, Process holder, Process wayOut) {
    this.root = root;
    this.holder = holder;
    this.wayOut = wayOut;
  }

  /**
   * @param closed addresses and ranges that shall not be reached
   * @throws IllegalStateException if the host does not allow it
   */
  static OutsideNetwork open(Scripts scripts, String slirp, boolean root, List<String> closed) {
    Process holder =
        start(unshare(root), List.of("--", "/bin/sh", scripts.network().toString()), closed);
    boolean opened = false;
    try {
      awaitWord(holder);
      Process wayOut =
          start(
              List.of("/bin/sh", scripts.wayOut().toString(), slirp, "--configure", "--mtu=65520"),
              List.of("--enable-sandbox", "--enable-seccomp", "--disable-host-loopback"),
              List.of("--cidr=" + RANGE, Long.toString(holder.pid()), "tap0"));
      try {
        awaitWord(wayOut);
        opened = true;
        return new OutsideNetwork(root, holder, wayOut);
      } finally {
        if (!opened) {
          end(wayOut);
        }
      }
    } finally {
      if (!opened) {
        end(holder);
      }
    }
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
    end(wayOut);
    end(holder);
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
