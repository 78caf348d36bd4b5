package dev.slipway.api;

import dev.slipway.account.Account;
import dev.slipway.account.Actor;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Who makes a request.
 *
 * @param admitted whether he still may; for answers that take long. Asks the store
 */
public record Caller(Account account, Actor actor, BooleanSupplier admitted) {
  private static final String CALLER = "caller";

  /** Says who makes the request, for the handlers that follow. */
  public void of(RoutingContext context) {
    context.put(CALLER, this);
  }

  static Optional<Caller> find(RoutingContext context) {
    return Optional.ofNullable(context.get(CALLER));
  }

  /**
   * Who makes the request.
   *
   * @throws dev.slipway.core.RequestException {@code UNAUTHORIZED}
   */
  static Caller require(RoutingContext context) {
    return find(context).orElseThrow(() -> Authentication.refusal(context.request()));
  }
}
