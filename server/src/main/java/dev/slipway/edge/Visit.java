package dev.slipway.edge;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.LiveRoutes.Entered;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One request to an app, from its head to the end of its answer: finds an instance, tries again
 * where nothing can happen twice, and waits where the app has to be started first.
 *
 * <pre>
 *   next ─▶ instance ─▶ Forwarding ─▶ answered
 *    ▲ │                    │ no connection, or broken off before the answer
 *    │ └─ none ─▶ Waker     │
 *    └──────────────┴───────┘
 * </pre>
 *
 * All on the event loop of the request.
 */
final class Visit {
  private static final Set<HttpMethod> REPEATABLE =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);
  private static final Duration PAUSE_BETWEEN_WAKES = Duration.ofMillis(100);
  private static final Duration PAUSE_AFTER_BREAK = Duration.ofMillis(50);
  private static final long NO_TIMER = -1;

  private final EdgeParts parts;
  private final Incoming incoming;
  private final HttpServerRequest request;
  private final Exchange exchange;
  private final String host;
  private final ContextInternal context;

  private final List<InstanceId> refusing = new ArrayList<>(0);
  private final List<InstanceId> broken = new ArrayList<>(0);
  private @Nullable Forwarding forwarding;
  private boolean over;
  private boolean paused;
  private long wakeTimer = NO_TIMER;
  private long wakeDeadlineNanos;
  private int wakes;
  private int attempts;

  /**
   * @param host the name under which the table knows the app
   */
  Visit(EdgeParts parts, Incoming incoming, String host) {
    this.parts = parts;
    this.incoming = incoming;
    this.request = incoming.request();
    this.exchange = Exchange.of(request);
    this.host = host;
    this.context = ((HttpServerRequestInternal) request).context();
  }

  void start() {
    if (incoming.hasBody()) {
      request.pause();
    }
    request.response().closeHandler(_ -> clientGone());
    guarded(_ -> next()).handle(null);
  }

  /** The step, with an answer where it throws: nobody else would tell the client. */
  <T> Handler<T> guarded(Handler<T> step) {
    return Faults.guarded(
        request,
        step,
        () -> {
          finished();
          if (forwarding != null) {
            forwarding.cancel();
          }
        });
  }

  /** When what has come until now has been dealt with. */
  void soon(Runnable step) {
    context.runOnContext(guarded(_ -> step.run()));
  }

  private void next() {
    if (over) {
      return;
    }
    RouteTable seen;
    Route route;
    do {
      seen = parts.routes().table();
      Route found = seen.routes().get(host);
      if (found == null) {
        end(Pages.NO_SUCH_APP);
        return;
      }
      route = found;
      exchange.routed(route);
      if (route.preview()) {
        request
            .response()
            .putHeader(Forwarding.ROBOTS, Forwarding.NO_INDEX); // on our own pages too
      }
      if (route.site().isPresent()) {
        finished();
        new SiteVisit(parts, incoming, route, route.site().get()).start();
        return;
      }
      Optional<Entered> entered = enter(route);
      if (entered.isPresent()) {
        forward(route, entered.get());
        return;
      }
      // Refused by a gate that closed after the table was read: the new table says where to go.
    } while (seen.version() != parts.routes().table().version());
    wakeOrPause(route);
  }

  private Optional<Entered> enter(Route route) {
    if (broken.isEmpty()) {
      return parts.routes().enter(route, refusing, abort());
    }
    List<InstanceId> bad = new ArrayList<>(refusing);
    bad.addAll(broken);
    return parts
        .routes()
        .enter(route, bad, abort())
        .or(() -> parts.routes().enter(route, refusing, abort()));
  }

  private void forward(Route route, Entered entered) {
    attempts++;
    exchange.passedOn(entered.target());
    forwarding = new Forwarding(parts, this, incoming, route, entered);
    forwarding.start();
  }

  /** There was no connection to the target, so nothing of the request has gone there. */
  void refused(Target target) {
    refusing.add(target.instance());
    parts.ejections().refused(target);
    next();
  }

  /** The target ended the connection before the answer began. */
  void brokenOff(Target target) {
    if (incoming.hasBody() || !REPEATABLE.contains(request.method()) || !broken.isEmpty()) {
      end(Pages.NO_ANSWER);
      return;
    }
    broken.add(target.instance());
    // Not now: when a program dies all its idle connections end, and this loop learns of them one
    // after the other. Another dead one must not be taken for the second try.
    parts.vertx().setTimer(PAUSE_AFTER_BREAK.toMillis(), guarded(_ -> next()));
  }

  private void wakeOrPause(Route route) {
    if (wakes == 0) {
      wakeDeadlineNanos = System.nanoTime() + parts.options().wakeLimit().toNanos();
    }
    Duration left = Duration.ofNanos(wakeDeadlineNanos - System.nanoTime());
    if (left.compareTo(PAUSE_BETWEEN_WAKES) < 0) {
      end(Pages.STARTING);
    } else if (wakes > 0 && !paused) {
      // What was woken refused: it ended again, or its end is not known yet.
      paused = true;
      parts.vertx().setTimer(PAUSE_BETWEEN_WAKES.toMillis(), guarded(_ -> next()));
    } else {
      paused = false;
      wakes++;
      wakeTimer = parts.vertx().setTimer(left.toMillis(), _ -> end(Pages.STARTING));
      wake(route.deployment())
          .whenComplete((target, failure) ->
              context.runOnContext(
                  guarded(_ -> woken(route, Optional.ofNullable(target), failure))));
    }
  }

  private CompletionStage<Target> wake(DeploymentId deployment) {
    try {
      return parts.waker().wake(deployment);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private void woken(Route route, Optional<Target> woken, @Nullable Throwable failure) {
    if (over) {
      return;
    }
    cancelTimer();
    if (woken.isEmpty()) {
      end(
          switch (cause(failure)) {
            case AppFailure _ -> Pages.NOT_STARTED;
            case Waker.Crashing _ -> Pages.CRASHED;
            case null, default -> Pages.STARTING;
          });
      return;
    }
    Target target = woken.get();
    parts.routes().admit(target.instance());
    parts
        .routes()
        .enter(target.instance(), abort())
        .ifPresentOrElse(claim -> forward(route, new Entered(target, claim)), this::next);
  }

  private static @Nullable Throwable cause(@Nullable Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  private void end(Pages page) {
    if (!over) {
      finished();
      (host.equals(ControlPlane.NAME) ? Pages.NO_CONTROL : page).answer(request);
    }
  }

  /** The answer is complete, or will never be. */
  void finished() {
    over = true;
    cancelTimer();
  }

  private void cancelTimer() {
    if (wakeTimer != NO_TIMER) {
      parts.vertx().cancelTimer(wakeTimer);
      wakeTimer = NO_TIMER;
    }
  }

  private void clientGone() {
    finished();
    if (forwarding != null) {
      forwarding.cancel();
    }
  }

  /** For the next attempt: its instance is to be stopped and has waited long enough. Any thread. */
  private Runnable abort() {
    int attempt = attempts + 1;
    return () -> context.runOnContext(_ -> abort(attempt));
  }

  private void abort(int attempt) {
    Forwarding present = forwarding;
    if (present == null || attempt != attempts) {
      return; // It has gone on to another instance meanwhile.
    }
    present.cancel();
    if (!request.response().headWritten()) {
      end(Pages.RESTARTING);
    } else if (!over) {
      finished();
      Channels.closeHard(request);
    }
  }
}
