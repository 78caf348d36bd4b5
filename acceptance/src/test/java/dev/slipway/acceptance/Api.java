package dev.slipway.acceptance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The REST API of one server, as a client with its key sees it. Thread-safe. */
final class Api {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final HttpClient http;
  private final URI base;
  private final String key;

  Api(HttpClient http, URI base, String key) {
    this.http = http;
    this.base = base;
    this.key = key;
  }

  /** The {@code data} of a successful answer. */
  JsonNode get(String path) {
    return data(send(request(path).GET()));
  }

  /** The {@code data} of the answer that says that something was made. */
  JsonNode post(String path, Map<String, ?> body) {
    Reply reply = send(json(path, text(body)));
    if (reply.status() != 201) {
      throw new AssertionError("POST " + path + " answered " + reply);
    }
    return reply.json().get("data");
  }

  /** A request with the key; a caller may replace or remove what it likes. */
  HttpRequest.Builder request(String path) {
    return anonymous(path).header("Authorization", "Bearer " + key);
  }

  HttpRequest.Builder anonymous(String path) {
    return HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT);
  }

  HttpRequest.Builder json(String path, String body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  /** Whatever the status is. */
  Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.headers().map(), response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** With the key; the path goes out as it is, be it well-formed or not. */
  Reply sendRaw(String method, String path) {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      String request =
          "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
              .formatted(method, path, base.getAuthority(), key);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = answer.indexOf("\r\n\r\n");
      List<String> head = answer.substring(0, end).lines().toList();
      Map<String, List<String>> headers = new HashMap<>();
      for (String line : head.subList(1, head.size())) {
        int colon = line.indexOf(':');
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT),
            List.of(line.substring(colon + 1).strip()));
      }
      int status = Integer.parseInt(head.getFirst().substring(9, 12));
      return new Reply(status, headers, answer.substring(end + 4));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  private static JsonNode data(Reply reply) {
    if (reply.status() != 200) {
      throw new AssertionError("answered " + reply);
    }
    return reply.json().get("data");
  }

  private static String text(Map<String, ?> body) {
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
