package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.SignedIn;
import dev.slipway.api.Caller;
import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;

/**
 * The request of somebody who is signed in, and the API as he sees it.
 *
 * @param caller with whom operations of the API are asked for
 * @param form what was sent; empty for GET
 * @param problem why what was asked for could not be done, where the page is shown again for that
 */
record Visit(
    RoutingContext context,
    Caller caller,
    SignedIn who,
    LocalApi api,
    Form form,
    Optional<String> problem) {
  /** An identifier in the path. */
  String path(String name) {
    return Objects.requireNonNull(context.pathParam(name), name);
  }

  Optional<String> query(String name) {
    return context.queryParam(name).stream().findFirst().filter(it -> !it.isEmpty());
  }

  /** Whether a script of a page asks, which puts the answer into that page. */
  boolean isPart() {
    return context.request().headers().contains("HX-Request");
  }

  /** {@link LocalApi#ask}. */
  <T> T ask(LocalRequest request, Class<T> type) {
    return api.ask(caller, request, type);
  }

  /** {@link LocalApi#tell}. */
  void tell(LocalRequest request) {
    var _ = ask(request, JsonNode.class);
  }

  /** {@link LocalApi#list}. */
  <T> LocalApi.Listed<T> list(LocalRequest request, Class<T> type) {
    return api.list(caller, request, type);
  }

  Visit refused(String why) {
    return new Visit(context, caller, who, api, form, Optional.of(why));
  }
}
