package dev.slipway.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.TrustOptions;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends to endpoints. Thread-safe; blocks, for {@link #LIMIT} at most. */
final class Sender implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sender.class);
  static final Duration LIMIT = Duration.ofSeconds(15);
  private static final int FIRST_SUCCESS = 200;
  private static final int FIRST_REDIRECT = 300;
  private static final int FIRST_REFUSAL = 400;

  private final Vertx vertx;
  private final HttpClient client;
  private final Targets targets;
  private final Duration limit;
  private final Clock clock;

  /**
   * @param allowPrivate whether endpoints may be in the networks of this server
   */
  Sender(Vertx vertx, boolean allowPrivate, Clock clock) {
    this(vertx, allowPrivate, Optional.empty(), LIMIT, clock);
  }

  /**
   * @param trust instead of the authorities that Java knows
   * @param limit for one attempt
   */
  Sender(
      Vertx vertx,
      boolean allowPrivate,
      Optional<TrustOptions> trust,
      Duration limit,
      Clock clock) {
    this.vertx = vertx;
    // A connection for each: one that was kept may be dead by the next event. Redirects are not
    // followed unless it is asked for.
    HttpClientOptions options = new HttpClientOptions().setKeepAlive(false);
    trust.ifPresent(options::setTrustOptions);
    this.client = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(Slots.ALL));
    this.targets = new Targets(allowPrivate);
    this.limit = limit;
    this.clock = clock;
  }

  /**
   * Makes one attempt; what comes of it is in the result, never thrown.
   *
   * @throws Crowded where none was made
   */
  Attempt send(Sending sending) throws Crowded, InterruptedException {
    Instant at = clock.instant();
    long begun = System.nanoTime();
    Map<String, String> headers = Map.of();
    Optional<Attempt.Answer> answer = Optional.empty();
    Optional<String> error;
    try {
      headers = headers(sending, at);
      Attempt.Answer given = answer(sending, headers, begun);
      answer = Optional.of(given);
      error = complaint(given);
    } catch (Unanswered e) {
      error = Optional.of(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // An attempt like others: what is never written down would be made again for ever.
      log.error("delivery={} cannot be sent", sending.id(), e);
      error = Optional.of("A fault of this server kept it from being sent.");
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    return new Attempt(sending.number(), at, took, headers, answer, error);
  }

  private Attempt.Answer answer(Sending sending, Map<String, String> headers, long begun)
      throws Unanswered, Crowded, InterruptedException {
    URI url = URI.create(sending.url());
    var addresses = targets.of(sending.endpoint().account(), url.getHost());
    Exchange exchange = new Exchange(vertx, client, url, headers, sending.body(), addresses);
    try {
      return exchange.start(limit.minusNanos(System.nanoTime() - begun)).get();
    } catch (ExecutionException e) {
      throw new Unanswered(
          FaultSentence.of(url.getHost(), e.getCause() == null ? e : e.getCause(), limit));
    }
  }

  private static Map<String, String> headers(Sending sending, Instant at) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", "application/json");
    headers.put("user-agent", "Slipway-Webhooks/1");
    headers.put("webhook-id", sending.event().value());
    headers.put("webhook-timestamp", Long.toString(at.getEpochSecond()));
    headers.put(
        "webhook-signature",
        Signatures.of(sending.secrets().get(), sending.event(), at, sending.body()));
    return headers;
  }

  private static Optional<String> complaint(Attempt.Answer answer) {
    int status = answer.status();
    if (status >= FIRST_SUCCESS && status < FIRST_REDIRECT) {
      return Optional.empty();
    }
    return Optional.of(
        status >= FIRST_REDIRECT && status < FIRST_REFUSAL
            ? "The endpoint answered %d; redirects are not followed: set the URL that it leads to."
                .formatted(status)
            : "The endpoint answered %d.".formatted(status));
  }

  @Override
  public void close() {
    targets.close();
    client.close().toCompletionStage().toCompletableFuture().join();
  }
}
