package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.AccountId;
import dev.slipway.core.Secret;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;

/**
 * A request that is authenticated and checked against the contract.
 *
 * @param body present where the operation takes one
 */
record Call(RoutingContext context, AccountId account, Optional<JsonNode> body) {
  String path(String name) {
    return Objects.requireNonNull(context.pathParam(name), name);
  }

  Optional<String> query(String name) {
    return context.queryParam(name).stream().findFirst();
  }

  /** The key that the request was authenticated with. */
  Secret key() {
    return Authentication.key(context.request()).orElseThrow();
  }

  /** Whether only the head of the answer is asked for. */
  boolean wantsHeadAlone() {
    return context.request().method().equals(HttpMethod.HEAD);
  }

  /** A text field of the body. */
  Optional<String> text(String field) {
    return body.map(json -> json.get(field)).filter(JsonNode::isTextual).map(JsonNode::textValue);
  }

  /** A yes or no of the body; no where it is absent. */
  boolean flag(String field) {
    return body.filter(json -> json.path(field).asBoolean()).isPresent();
  }
}
