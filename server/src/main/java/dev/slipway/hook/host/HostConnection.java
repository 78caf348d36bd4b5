package dev.slipway.hook.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.core.TransientException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends JSON to the API of one git host, and reads what it answers. It follows no redirect: the
 * token is for this address alone.
 */
final class HostConnection {
  private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(10);
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(20);
  private static final long MAX_ANSWER_BYTES = 8 << 20;
  private static final int MAX_SHOWN = 200;

  /** What a host answers that has too much to do, or is asked too much of. */
  private static final Set<Integer> LATER = Set.of(408, 425, 429);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECTS_WITHIN)
          .build();
  private final URI base;
  private final Map<String, String> headers;
  private final Duration answersWithin;

  /**
   * @param base without a slash at its end
   * @param headers of every request, with the token among them
   */
  HostConnection(URI base, Map<String, String> headers) {
    this(base, headers, ANSWERS_WITHIN);
  }

  /**
   * @param answersWithin from the first byte of a request until the last one of its answer
   */
  HostConnection(URI base, Map<String, String> headers, Duration answersWithin) {
    this.base = base;
    this.headers = Map.copyOf(headers);
    this.answersWithin = answersWithin;
  }

  /** An answer that is neither a redirect nor asks to come again. */
  record Answer(String asked, int status, String body) {
    boolean isGood() {
      return status / 100 == 2;
    }

    /** What was asked for is not there any more. */
    boolean isGone() {
      return status == 404 || status == 410;
    }

    RefusedException refused() {
      String shown = body.length() <= MAX_SHOWN ? body : body.substring(0, MAX_SHOWN) + "…";
      return new RefusedException(
          "%s was answered with HTTP status %d: %s"
              .formatted(asked, status, shown.replaceAll("\\s+", " ")));
    }

    /** The number of what was made or changed. */
    String id() {
      JsonNode id = json().path("id");
      if (id.isIntegralNumber()) {
        return id.asText();
      }
      throw new RefusedException("%s was answered without an id".formatted(asked));
    }

    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (JsonProcessingException e) {
        throw new RefusedException("%s was not answered with JSON".formatted(asked));
      }
    }
  }

  /**
   * @param path below the base, begins with a slash
   * @param fields none for a request without a body
   */
  Answer send(String method, String path, Map<String, String> fields) throws InterruptedException {
    URI address = URI.create(base + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .header("User-Agent", "slipway")
            .method(
                method,
                fields.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(json(fields)));
    headers.forEach(request::header);
    String asked = method + " " + address;
    HttpResponse<String> response = exchange(asked, request.build());
    Answer answer = new Answer(asked, response.statusCode(), response.body());
    if (isLater(response)) {
      throw new TransientException(String.valueOf(answer.refused().getMessage()));
    }
    return answer;
  }

  /** A request's own timeout ends with the head of the answer: a body without end would hold us. */
  private HttpResponse<String> exchange(String asked, HttpRequest request)
      throws InterruptedException {
    CompletableFuture<HttpResponse<String>> exchange =
        client.sendAsync(
            request,
            BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MAX_ANSWER_BYTES));
    try {
      return exchange.get(answersWithin.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new TransientException("%s was not answered: %s".formatted(asked, e.getCause()), e);
    } catch (TimeoutException e) {
      throw new TransientException(
          "%s was not answered within %d s".formatted(asked, answersWithin.toSeconds()), e);
    } finally {
      boolean _ = exchange.cancel(true); // does nothing to one that has ended
    }
  }

  private static boolean isLater(HttpResponse<?> response) {
    int status = response.statusCode();
    // GitHub says so with 403 where too much was asked of it.
    boolean limited =
        status == 403
            && (response.headers().firstValue("Retry-After").isPresent()
                || response
                    .headers()
                    .firstValue("X-RateLimit-Remaining")
                    .filter("0"::equals)
                    .isPresent());
    return status >= 500 || LATER.contains(status) || limited;
  }

  private static byte[] json(Map<String, String> fields) {
    try {
      return JSON.writeValueAsBytes(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts cannot be written as JSON", e);
    }
  }
}
