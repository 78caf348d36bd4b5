package dev.slipway.edge;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * Has instances passed over that refuse connections, or that answer nothing while others do, and
 * asks them itself until they are fine again: no visitor has to find out. For one event loop.
 */
final class Ejections {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final NetClient connecting;
  private final HttpClient asking;
  private final LiveRoutes routes;
  private final Duration patience;

  /** Requests that have been sent and not answered, the oldest first. */
  private final Map<Forwarding, Waiting> waiting = new LinkedHashMap<>();

  private final Set<Target> asked = new HashSet<>();

  private record Waiting(Target target, Route route, long sinceNanos) {}

  /**
   * @param patience how long a request may wait for its answer before its instance is asked whether
   *     it answers at all
   */
  Ejections(Vertx vertx, LiveRoutes routes, Duration patience) {
    this.vertx = vertx;
    this.routes = routes;
    this.patience = patience;
    this.connecting =
        vertx.createNetClient(
            new NetClientOptions().setConnectTimeout(Math.toIntExact(CONNECT_LIMIT.toMillis())));
    this.asking = vertx.createHttpClient(new HttpClientOptions().setKeepAlive(false));
    vertx.setPeriodic(Math.max(1, patience.toMillis() / 10), _ -> check());
  }

  /** There was no connection to the target. */
  void refused(Target target) {
    routes
        .ejection(target.instance())
        .flatMap(Ejection::begin)
        .ifPresent(pause -> connectAfter(target, pause));
  }

  private void connectAfter(Target target, Duration pause) {
    vertx.setTimer(
        pause.toMillis(),
        _ ->
            connecting
                .connect(target.address())
                .onComplete(
                    socket -> {
                      routes.ejection(target.instance()).ifPresent(Ejection::end);
                      socket.close();
                    },
                    // One that is gone from the routes is not asked any more.
                    _ ->
                        routes
                            .ejection(target.instance())
                            .map(Ejection::prolong)
                            .ifPresent(longer -> connectAfter(target, longer))));
  }

  /** A request has been sent in full. */
  void sent(Forwarding request, Target target, Route route) {
    if (route.targets().size() > 1) { // Else there is nobody to prefer.
      waiting.put(request, new Waiting(target, route, System.nanoTime()));
    }
  }

  /** Its answer has begun. */
  void answered(Forwarding request, Target target, Route route) {
    waiting.remove(request);
    if (route.targets().size() > 1) {
      routes.answered(target.instance());
    }
  }

  /** It waits no more, whatever came of it. */
  void over(Forwarding request) {
    waiting.remove(request);
  }

  private void check() {
    long now = System.nanoTime();
    for (Map.Entry<Forwarding, Waiting> entry : List.copyOf(waiting.entrySet())) {
      Waiting wait = entry.getValue();
      if (now - wait.sinceNanos() < patience.toNanos()) {
        return; // The others came later.
      }
      if (othersAnswer(wait) && asked.add(wait.target())) {
        ask(wait.target());
      }
    }
  }

  private boolean othersAnswer(Waiting wait) {
    return wait.route().targets().stream()
        .filter(target -> !target.equals(wait.target()))
        .anyMatch(target -> routes.answeredSince(target.instance(), wait.sinceNanos()));
  }

  /**
   * Asks for nothing: {@code OPTIONS *} is HTTP's ping. What waits may be a page that takes long,
   * and a program that serves others beside it answers this.
   */
  private void ask(Target target) {
    asking
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.OPTIONS)
                .setHost(target.host())
                .setPort(target.port())
                .setURI("*")
                .setTimeout(patience.toMillis())
                .putHeader("user-agent", "slipway-health-check"))
        .compose(request -> request.exceptionHandler(_ -> {}).send())
        .onComplete(
            response -> {
              response.exceptionHandler(_ -> {});
              response.request().reset();
              fine(target);
            },
            cause -> {
              if (cause instanceof TimeoutException) {
                silent(target);
              } else {
                fine(target); // It did something; a refusal is learned from the next request.
              }
            });
  }

  private void fine(Target target) {
    asked.remove(target);
    waiting.values().removeIf(it -> it.target().equals(target)); // Once for each is enough.
    routes.ejection(target.instance()).ifPresent(Ejection::end);
  }

  private void silent(Target target) {
    routes
        .ejection(target.instance())
        .map(ejection -> ejection.begin().orElseGet(ejection::prolong))
        .ifPresentOrElse(
            pause -> vertx.setTimer(pause.toMillis(), _ -> ask(target)),
            () -> asked.remove(target));
  }
}
