package dev.slipway.api;

import dev.slipway.account.Account;
import dev.slipway.account.Actor;
import dev.slipway.account.Callers;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.edge.ClientAddress;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Finds out who calls and counts the request, before anything else of it is looked at: so that
 * every answer, whatever it says, tells how many more are allowed.
 */
final class Admission {
  private final OffLoop offLoop;
  private final Callers callers;
  private final ClientAddress addresses;
  private final Limits limits;
  private final Clock clock;

  Admission(OffLoop offLoop, Callers callers, ClientAddress addresses, Limits limits, Clock clock) {
    this.offLoop = offLoop;
    this.callers = callers;
    this.addresses = addresses;
    this.limits = limits;
    this.clock = clock;
  }

  /**
   * Requests allowed in a minute.
   *
   * @param ofTier of an account
   * @param ofAddress of a client's address without a valid key
   */
  record Limits(ToIntFunction<String> ofTier, int ofAddress) {
    int of(Optional<Account> account) {
      return account.map(it -> ofTier.applyAsInt(it.tier())).orElse(ofAddress);
    }
  }

  /** Admits the requests whose path is {@code base} or below it; lets others pass uncounted. */
  Handler<RoutingContext> below(String base) {
    return context -> {
      // Of a malformed head the path may be unknown.
      if (isBelow(base, context) || context.request().decoderResult().isFailure()) {
        admit(context);
      } else {
        context.next();
      }
    };
  }

  private void admit(RoutingContext context) {
    HttpServerRequest request = context.request();
    // Until the store has answered, and where it does not.
    Instant windowEnd = clock.instant().truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
    tell(context.response(), limits.ofAddress(), limits.ofAddress(), windowEnd);
    Optional<Secret> key = Authentication.key(request);
    String address = addresses.of(request);
    // A page that may call us asks before: that must not use up what an address has.
    boolean preflight = request.method().equals(HttpMethod.OPTIONS);
    request.pause();
    offLoop.run(
        context,
        () -> preflight ? callers.look(key, address) : callers.count(key, address),
        caller -> {
          answer(context, key, caller, preflight);
          // Last: whoever reads the body is there by now.
          request.resume();
        });
  }

  private void answer(
      RoutingContext context, Optional<Secret> key, Callers.Caller caller, boolean preflight) {
    int limit = limits.of(caller.account());
    long left = Math.max(0, limit - caller.requests());
    tell(context.response(), limit, left, caller.windowEnd());
    if (caller.requests() > limit && !preflight) {
      long seconds = Math.max(1, Duration.between(clock.instant(), caller.windowEnd()).toSeconds());
      context.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
      context.fail(
          new RequestException(
              ErrorCode.RATE_LIMITED,
              "More than %d requests in this minute; try again in %d s."
                  .formatted(limit, seconds)));
      return;
    }
    caller
        .account()
        .ifPresent(account -> {
          Secret opened = key.orElseThrow();
          new Caller(account, new Actor.Key(opened), () -> callers.opens(opened)).of(context);
        });
    context.next();
  }

  private static void tell(HttpServerResponse response, int limit, long left, Instant windowEnd) {
    response
        .putHeader("X-RateLimit-Limit", Integer.toString(limit))
        .putHeader("X-RateLimit-Remaining", Long.toString(left))
        .putHeader("X-RateLimit-Reset", Long.toString(windowEnd.getEpochSecond()));
  }

  /** In whichever way the path is written: the router follows dots and escapes. */
  private static boolean isBelow(String base, RoutingContext context) {
    return isBelow(base, String.valueOf(context.request().path()))
        || isBelow(base, normalized(context));
  }

  private static boolean isBelow(String base, String path) {
    return path.equals(base) || path.startsWith(base + "/");
  }

  private static String normalized(RoutingContext context) {
    try {
      return context.normalizedPath();
    } catch (IllegalArgumentException malformed) {
      return "";
    }
  }
}
