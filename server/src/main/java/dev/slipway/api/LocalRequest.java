package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An operation of the contract that is asked for within this process.
 *
 * @param operation its {@code operationId}
 * @param path parameters of the path
 * @param query parameters of the query
 */
public record LocalRequest(
    String operation,
    Map<String, String> path,
    Map<String, String> query,
    Optional<JsonNode> body) {
  public LocalRequest {
    path = Map.copyOf(path);
    query = Map.copyOf(query);
  }

  public static LocalRequest of(String operation) {
    return new LocalRequest(operation, Map.of(), Map.of(), Optional.empty());
  }

  public LocalRequest path(String name, String value) {
    return new LocalRequest(operation, with(path, name, value), query, body);
  }

  public LocalRequest query(String name, String value) {
    return new LocalRequest(operation, path, with(query, name, value), body);
  }

  public LocalRequest body(JsonNode json) {
    return new LocalRequest(operation, path, query, Optional.of(json));
  }

  private static Map<String, String> with(Map<String, String> map, String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(map);
    all.put(name, value);
    return all;
  }
}
