package dev.slipway.hook.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.slipway.core.Secret;
import dev.slipway.source.RepoName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A git host over real HTTP that does what the host's documentation says of a few requests. */
abstract class FakeGitHost implements GitHostPlace {
  static final ObjectMapper JSON = new ObjectMapper();
  static final String REPO = "acme/shop";
  private static final String COMMIT = "2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e";
  private static final int PULL_REQUEST = 7;

  private final HttpServer server;
  private final ConcurrentLinkedQueue<Answer> told = new ConcurrentLinkedQueue<>();
  private final Map<String, Shown> statuses = new LinkedHashMap<>();
  private final Map<String, Said> comments = new LinkedHashMap<>();
  private final List<String> requests = new ArrayList<>();
  private final AtomicLong ids = new AtomicLong(1000);

  FakeGitHost() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  /** What is answered. */
  record Answer(int status, Map<String, String> headers, String body) {
    static Answer of(int status, Object body) {
      try {
        return new Answer(status, Map.of(), JSON.writeValueAsString(body));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * One request whose token is right.
   *
   * @param path as it was sent
   */
  abstract Answer answer(String method, String path, JsonNode body);

  /** Whether the request has the token as the host wants it. */
  abstract boolean isAllowed(HttpExchange exchange);

  /** The next request is answered so, whatever it is. */
  void answerNext(int status, Map<String, String> headers) {
    told.add(new Answer(status, headers, "{\"message\": \"as told\"}"));
  }

  /** All requests so far, as method and path. */
  synchronized List<String> requests() {
    return List.copyOf(requests);
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  synchronized Answer show(String sha, State state, JsonNode body, String context, int most) {
    String description = body.path("description").asText();
    if (!sha.equals(COMMIT)) {
      return Answer.of(422, Map.of("message", "No commit found for SHA: " + sha));
    }
    if (description.codePointCount(0, description.length()) > most) {
      return Answer.of(422, Map.of("message", "description is too long"));
    }
    statuses.put(
        context, new Shown(state.state(), context, description, body.path("target_url").asText()));
    return Answer.of(201, Map.of("id", ids.incrementAndGet(), "state", state.word()));
  }

  /** A state and how the host writes it. */
  record State(CommitStatus.State state, String word) {}

  synchronized Optional<CommitStatus.State> shown(String context) {
    return Optional.ofNullable(statuses.get(context)).map(Shown::state);
  }

  synchronized Answer make(String text) {
    String id = "" + ids.incrementAndGet();
    comments.put(id, new Said(id, text));
    return Answer.of(201, Map.of("id", Long.valueOf(id), "body", text));
  }

  synchronized Answer change(String id, String text) {
    if (comments.replace(id, new Said(id, text)) == null) {
      return notFound();
    }
    return Answer.of(200, Map.of("id", Long.valueOf(id), "body", text));
  }

  /** Some of the comments, as the query has it. */
  synchronized Answer list(JsonNode query) {
    int size = Math.min(query.path("per_page").asInt(30), 100);
    int page = query.path("page").asInt(1);
    return Answer.of(
        200,
        comments.values().stream()
            .skip((long) size * (page - 1))
            .limit(size)
            .map(it -> Map.of("id", Long.valueOf(it.id()), "body", it.text()))
            .toList());
  }

  /** What a request asks for: its body, or its query. */
  private static JsonNode asked(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getRawQuery();
    if (query == null) {
      return JSON.readTree(exchange.getRequestBody().readAllBytes());
    }
    ObjectNode asked = JSON.createObjectNode();
    for (String part : query.split("&", -1)) {
      int sign = part.indexOf('=');
      asked.put(part.substring(0, sign), part.substring(sign + 1));
    }
    return asked;
  }

  static Answer notFound() {
    return Answer.of(404, Map.of("message", "Not Found"));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getRawPath();
      synchronized (this) {
        requests.add(exchange.getRequestMethod() + " " + path);
      }
      JsonNode body = asked(exchange);
      Answer next = told.poll();
      Answer answer =
          next != null
              ? next
              : isAllowed(exchange)
                  ? answer(exchange.getRequestMethod(), path, body)
                  : Answer.of(401, Map.of("message", "Unauthorized"));
      answer.headers().forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public Secret token() {
    return new Secret("token-of-a-bot");
  }

  @Override
  public RepoName repo() {
    return new RepoName(REPO);
  }

  @Override
  public String commit() {
    return COMMIT;
  }

  @Override
  public int pullRequest() {
    return PULL_REQUEST;
  }

  @Override
  public synchronized List<Shown> statuses() {
    return List.copyOf(statuses.values());
  }

  @Override
  public synchronized List<Said> comments() {
    return List.copyOf(comments.values());
  }

  @Override
  public synchronized void delete(Said comment) {
    comments.remove(comment.id());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
