package dev.slipway.certificate;

import dev.slipway.edge.GoProgram;
import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Pebble, Let's Encrypt's small server for tests, as a process of its own. It is built by Go once
 * and kept in the user's cache.
 */
final class Pebble implements AutoCloseable {
  private static final GoProgram PROGRAM =
      new GoProgram("pebble", "github.com/letsencrypt/pebble/v2/cmd/pebble", "v2.10.1");
  private static final int START_SECONDS = 60;

  private final TestAuthority web = new TestAuthority();
  private final int port = freePort();
  private final int managementPort = freePort();
  private final HttpClient client = HttpClient.newBuilder().sslContext(web.trust()).build();
  private final Process process;

  /**
   * @param httpPort where it finds the plain port of every name
   * @param dns whom it asks for addresses
   */
  Pebble(Path directory, int httpPort, InetSocketAddress dns)
      throws IOException, InterruptedException {
    Path program = PROGRAM.path();
    HostCertificate own = web.issue("localhost");
    Path certificate = directory.resolve("pebble.pem");
    Path key = directory.resolve("pebble-key.pem");
    Files.writeString(certificate, TestAuthority.pem(own.chain()));
    Files.writeString(key, TestAuthority.pem("PRIVATE KEY", own.key().getEncoded()));
    Path config = directory.resolve("pebble.json");
    Files.writeString(
        config,
        """
        {"pebble": {
          "listenAddress": "127.0.0.1:%d", "managementListenAddress": "127.0.0.1:%d",
          "certificate": "%s", "privateKey": "%s", "httpPort": %d, "tlsPort": 1,
          "profiles": {"default": {"description": "ninety days", "validityPeriod": 7776000}}
        }}
        """
            .formatted(port, managementPort, certificate, key, httpPort));
    ProcessBuilder start =
        new ProcessBuilder(
            program.toString(),
            "-config",
            config.toString(),
            "-dnsserver",
            "127.0.0.1:" + dns.getPort());
    start.environment().put("PEBBLE_VA_NOSLEEP", "1");
    process =
        start
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("pebble.log").toFile())
            .start();
    awaitAnswer(directory);
  }

  URI directory() {
    return URI.create("https://localhost:%d/dir".formatted(port));
  }

  /** Who trusts what it certifies. */
  CertificateChain root() throws IOException, InterruptedException {
    return CertificateChain.parse(get("https://localhost:%d/roots/0".formatted(managementPort)))
        .orElseThrow();
  }

  SSLContext trust() {
    return web.trust();
  }

  private String get(String address) throws IOException, InterruptedException {
    return client
        .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
        .body();
  }

  private void awaitAnswer(Path directory) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try {
        get(directory().toString());
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          close();
          throw new IOException(Files.readString(directory.resolve("pebble.log")), e);
        }
        Thread.onSpinWait();
      }
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
    client.close();
  }
}
