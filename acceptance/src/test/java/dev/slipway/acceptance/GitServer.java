package dev.slipway.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A real git server over HTTP: {@code git http-backend} on a folder of bare repositories. */
final class GitServer implements AutoCloseable {
  private final Supplier<Path> folder;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch asked = new CountDownLatch(1);
  private volatile CountDownLatch held = new CountDownLatch(0);

  private GitServer(Supplier<Path> folder, HttpServer server) {
    this.folder = folder;
    this.server = server;
  }

  /**
   * @param folder asked at each request
   */
  static GitServer start(Supplier<Path> folder) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    GitServer server = new GitServer(folder, http);
    http.setExecutor(server.threads);
    http.createContext("/", server::answer);
    http.start();
    return server;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** From now on nothing is answered, until {@link #letGo}. */
  void hold() {
    held = new CountDownLatch(1);
  }

  /** Returns when the first request has come. */
  void awaitAsked() {
    Wait.until("git is asked", Duration.ofSeconds(30), () -> asked.getCount() == 0);
  }

  void letGo() {
    held.countDown();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.countDown();
      held.await();
      runBackend(exchange);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void runBackend(HttpExchange exchange) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(cgiVariables(exchange));
    Process process = builder.start();
    try {
      try (OutputStream input = process.getOutputStream()) {
        exchange.getRequestBody().transferTo(input);
      }
      InputStream output = new BufferedInputStream(process.getInputStream());
      int status = 200;
      for (String line = readLine(output); !line.isEmpty(); line = readLine(output)) {
        int colon = line.indexOf(':');
        String value = line.substring(colon + 1).strip();
        if (line.startsWith("Status:")) {
          status = Integer.parseInt(value.substring(0, 3));
        } else {
          exchange.getResponseHeaders().add(line.substring(0, colon), value);
        }
      }
      exchange.sendResponseHeaders(status, 0);
      output.transferTo(exchange.getResponseBody());
    } finally {
      process.destroyForcibly();
    }
  }

  private Map<String, String> cgiVariables(HttpExchange exchange) {
    return Map.of(
        "GIT_PROJECT_ROOT",
        folder.get().toString(),
        "GIT_HTTP_EXPORT_ALL",
        "1",
        "GIT_CONFIG_GLOBAL",
        "/dev/null",
        "REQUEST_METHOD",
        exchange.getRequestMethod(),
        "PATH_INFO",
        exchange.getRequestURI().getPath(),
        "QUERY_STRING",
        Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse(""),
        "CONTENT_TYPE",
        header(exchange, "Content-Type"),
        "HTTP_CONTENT_ENCODING",
        header(exchange, "Content-Encoding"),
        "GIT_PROTOCOL",
        header(exchange, "Git-Protocol"));
  }

  private static String header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
  }

  private static String readLine(InputStream input) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = input.read(); b >= 0 && b != '\n'; b = input.read()) {
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }

  @Override
  public void close() {
    letGo();
    server.stop(0);
    threads.shutdownNow();
  }
}
