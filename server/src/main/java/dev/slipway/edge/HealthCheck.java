package dev.slipway.edge;

import dev.slipway.edge.Health.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Waits until an instance answers. The first try is made at once, and the gaps grow: a program that
 * starts fast is found within milliseconds, a slow one is not pestered. A gap is 5 ms and a
 * twenty-fifth of the time that has passed, so that looking adds little to a start. Thread-safe.
 */
public final class HealthCheck {
  private static final Duration FIRST_GAP = Duration.ofMillis(5);
  private static final Duration LONGEST_GAP = Duration.ofMillis(250);
  private static final double GROWTH = 1.04;

  /** A first answer may take long, as some frameworks compile then; a hung one is asked again. */
  private static final Duration TRY_LIMIT = Duration.ofSeconds(10);

  private static final int SERVER_ERROR = 500;

  private final Vertx vertx;
  private final HttpClient client;

  public HealthCheck(Vertx vertx) {
    this.vertx = vertx;
    // A connection for each try: a program that restarts itself must not be asked on an old one.
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(false), new PoolOptions().setHttp1MaxSize(64));
  }

  /**
   * Waits for an answer to {@code GET path} with a status below 500.
   *
   * @param limit for all tries together
   * @param ended completes, in whatever way, when the program has ended
   * @return never fails; completes on an event loop, so what depends on it must not block there
   */
  public CompletableFuture<Health> await(
      Target target, String path, Duration limit, CompletionStage<?> ended) {
    return await(target, path, limit, ended, new CompletableFuture<>(), _ -> {});
  }

  /**
   * {@link #await(Target, String, Duration, CompletionStage)}, for somebody who looks on.
   *
   * @param givenUp is completed by him when the rest need not be waited for
   * @param tried gets each try that came to something, on an event loop
   */
  public CompletableFuture<Health> await(
      Target target,
      String path,
      Duration limit,
      CompletionStage<?> ended,
      CompletionStage<?> givenUp,
      Consumer<Probe> tried) {
    Check check = new Check(target, path, limit, tried);
    ended.whenComplete((_, _) -> check.context.runOnContext(_ -> check.finish(Verdict.ENDED)));
    givenUp.whenComplete((_, _) -> check.context.runOnContext(_ -> check.finish(Verdict.GIVEN_UP)));
    check.context.runOnContext(_ -> check.start());
    return check.result;
  }

  /** One check; all on the event loop of its context. */
  private final class Check {
    private final CompletableFuture<Health> result = new CompletableFuture<>();
    private final Context context = vertx.getOrCreateContext();
    private final Target target;
    private final String path;
    private final Duration limit;
    private final Consumer<Probe> onlooker;
    private final long begunNanos = System.nanoTime();
    private Duration gap = FIRST_GAP;
    private int tries;
    private Optional<Probe> last = Optional.empty();
    private boolean waiting;
    private long limitTimer;

    Check(Target target, String path, Duration limit, Consumer<Probe> onlooker) {
      this.target = target;
      this.path = path;
      this.limit = limit;
      this.onlooker = onlooker;
    }

    void start() {
      limitTimer = vertx.setTimer(Math.max(1, limit.toMillis()), _ -> finish(Verdict.TIMED_OUT));
      attempt();
    }

    private void attempt() {
      if (result.isDone()) {
        return;
      }
      tries++;
      waiting = true;
      client
          .request(
              new RequestOptions()
                  .setMethod(HttpMethod.GET)
                  .setHost(target.host())
                  .setPort(target.port())
                  .setURI(path)
                  .setTimeout(TRY_LIMIT.toMillis())
                  .putHeader("user-agent", "slipway-health-check"))
          .compose(request -> request.exceptionHandler(_ -> {}).send())
          .onComplete(this::answered, this::failed);
    }

    private void answered(HttpClientResponse response) {
      // Only the head is wanted, and the body may be endless.
      response.exceptionHandler(_ -> {});
      response.request().reset();
      tried(new Probe.Answered(response.statusCode()));
    }

    private void failed(Throwable cause) {
      tried(
          switch (cause) {
            case ConnectException _ -> new Probe.Refused();
            case TimeoutException _ -> new Probe.Silent();
            default -> new Probe.Broken();
          });
    }

    private void tried(Probe probe) {
      if (result.isDone()) {
        return;
      }
      waiting = false;
      last = Optional.of(probe);
      onlooker.accept(probe);
      if (probe instanceof Probe.Answered(int status) && status < SERVER_ERROR) {
        finish(Verdict.HEALTHY);
        return;
      }
      vertx.setTimer(gap.toMillis(), _ -> attempt());
      long longer = (long) (gap.toNanos() * GROWTH);
      gap = Duration.ofNanos(Math.min(longer, LONGEST_GAP.toNanos()));
    }

    private void finish(Verdict verdict) {
      vertx.cancelTimer(limitTimer);
      if (waiting && verdict == Verdict.TIMED_OUT && last.isEmpty()) {
        last = Optional.of(new Probe.Silent());
      }
      var after = Duration.ofNanos(System.nanoTime() - begunNanos);
      result.complete(new Health(verdict, after, tries, last));
    }
  }
}
