package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.Actor;
import dev.slipway.core.AccountId;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A request that is authenticated and checked against the contract. For one thread at a time.
 *
 * @param path the parameters of the path
 * @param query those of the query that were given
 * @param body present where the operation takes one as JSON
 * @param learned what a preparation leaves for the handler
 * @param http the request itself; absent where an operation was asked for within this process
 */
record Call(
    Caller caller,
    Map<String, String> path,
    Map<String, String> query,
    Optional<JsonNode> body,
    Map<Class<?>, Object> learned,
    Optional<RoutingContext> http) {
  AccountId account() {
    return caller.account().id();
  }

  String path(String name) {
    return Objects.requireNonNull(path.get(name), name);
  }

  Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** A yes or no of the query; no where it is absent. */
  boolean asks(String parameter) {
    return query(parameter).filter("true"::equals).isPresent();
  }

  /** Who does what the request asks for. */
  Actor actor() {
    return caller.actor();
  }

  /** Where the answer is written as it comes, or a file is read. */
  RoutingContext context() {
    return http.orElseThrow(() -> new IllegalStateException("the operation needs a connection"));
  }

  /** Whether only the head of the answer is asked for. */
  boolean wantsHeadAlone() {
    return http.filter(it -> it.request().method().equals(HttpMethod.HEAD)).isPresent();
  }

  /** Leaves something for the handler; one of each type. */
  <T> void learn(Class<T> type, T fact) {
    learned.put(type, fact);
  }

  <T> Optional<T> learned(Class<T> type) {
    return Optional.ofNullable(learned.get(type)).map(type::cast);
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
