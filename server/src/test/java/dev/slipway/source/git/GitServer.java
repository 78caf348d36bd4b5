package dev.slipway.source.git;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A real git server for tests: {@code git http-backend} behind the JDK's HTTP server, on a port of
 * its own of the loopback interface. Repositories are bare folders below {@link #folder}.
 */
public final class GitServer implements AutoCloseable {
  private final Path folder;
  private final Path works;
  private final Optional<String> password;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Map<String, List<String>>> requestHeaders = new CopyOnWriteArrayList<>();

  private final LfsHandler lfs;
  private volatile boolean compressing;

  private GitServer(Path directory, Optional<String> password) throws IOException {
    this.folder = Files.createDirectories(directory.resolve("repositories"));
    this.works = Files.createDirectories(directory.resolve("works"));
    this.password = password;
    this.lfs = new LfsHandler(folder);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Everyone may read. */
  public static GitServer open(Path directory) throws IOException {
    return new GitServer(directory, Optional.empty());
  }

  /** Only who sends this password, with any user name, by HTTP basic authentication. */
  public static GitServer withPassword(Path directory, String password) throws IOException {
    return new GitServer(directory, Optional.of(password));
  }

  /**
   * @param name for example {@code acme/shop}
   */
  public GitRepository create(String name) {
    return GitRepository.create(folder.resolve(name + ".git"), works.resolve(name));
  }

  /** Where the repositories are, for access by {@code file:} address. */
  public Path folder() {
    return folder;
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The large files of its repositories. */
  public LfsHandler lfs() {
    return lfs;
  }

  /** What git itself answers is packed by gzip from now on. */
  public void compressing() {
    compressing = true;
  }

  /** The headers of each request so far. */
  public List<Map<String, List<String>>> requestHeaders() {
    return requestHeaders;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    requestHeaders.add(Map.copyOf(exchange.getRequestHeaders()));
    try (exchange) {
      if (password.isPresent() && !isAllowed(exchange, password.get())) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      if (LfsHandler.isFor(exchange)) {
        lfs.answer(exchange, address());
        return;
      }
      runBackend(exchange);
    }
  }

  private static boolean isAllowed(HttpExchange exchange, String password) {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    if (header == null || !header.startsWith("Basic ")) {
      return false;
    }
    byte[] pair = Base64.getDecoder().decode(header.substring("Basic ".length()));
    return new String(pair, StandardCharsets.UTF_8).endsWith(":" + password);
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
        String name = line.substring(0, colon);
        String value = line.substring(colon + 1).strip();
        if (name.equals("Status")) {
          status = Integer.parseInt(value.substring(0, 3));
        } else {
          exchange.getResponseHeaders().add(name, value);
        }
      }
      if (compressing) {
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
      }
      exchange.sendResponseHeaders(status, 0);
      OutputStream body = exchange.getResponseBody();
      try (OutputStream packed = compressing ? new GZIPOutputStream(body) : body) {
        output.transferTo(packed);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private Map<String, String> cgiVariables(HttpExchange exchange) {
    Map<String, String> variables = new HashMap<>();
    variables.put("GIT_PROJECT_ROOT", folder.toString());
    variables.put("GIT_HTTP_EXPORT_ALL", "1");
    variables.put("GIT_CONFIG_GLOBAL", "/dev/null");
    variables.put("REQUEST_METHOD", exchange.getRequestMethod());
    variables.put("PATH_INFO", exchange.getRequestURI().getPath());
    variables.put("QUERY_STRING", orEmpty(exchange.getRequestURI().getQuery()));
    variables.put("CONTENT_TYPE", header(exchange, "Content-Type"));
    variables.put("HTTP_CONTENT_ENCODING", header(exchange, "Content-Encoding"));
    variables.put("GIT_PROTOCOL", header(exchange, "Git-Protocol"));
    variables.values().removeIf(String::isEmpty);
    return variables;
  }

  private static String header(HttpExchange exchange, String name) {
    return orEmpty(exchange.getRequestHeaders().getFirst(name));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static String readLine(InputStream input) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = input.read(); b >= 0 && b != '\n'; b = input.read()) {
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }
}
