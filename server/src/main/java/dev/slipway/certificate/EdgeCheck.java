package dev.slipway.certificate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until an edge that is another process answers what an authority is about to ask it: it
 * hears of it a moment after the store has it, and an authority asks once.
 */
public final class EdgeCheck {
  private static final Logger log = LoggerFactory.getLogger(EdgeCheck.class);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

  private final URI edge;
  private final Duration limit;

  /**
   * @param edge its plain port
   */
  public EdgeCheck(URI edge) {
    this(edge, LIMIT);
  }

  EdgeCheck(URI edge, Duration limit) {
    this.edge = edge;
    this.limit = limit;
  }

  /** Returns when it answers, or after some seconds: the authority may reach another one. */
  void await(String token, String answer) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    HttpRequest request =
        HttpRequest.newBuilder(edge.resolve("/.well-known/acme-challenge/" + token))
            .timeout(limit)
            .build();
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(limit).build()) {
      while (!answers(http, request, answer)) {
        if (System.nanoTime() > deadline) {
          log.warn("the edge at {} does not answer for a certificate's authority yet", edge);
          return;
        }
        Thread.sleep(BETWEEN_QUESTIONS);
      }
    }
  }

  private static boolean answers(HttpClient http, HttpRequest request, String answer)
      throws InterruptedException {
    try {
      return http.send(request, BodyHandlers.ofString()).body().equals(answer);
    } catch (IOException e) {
      return false;
    }
  }
}
