package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What the contract says besides what the server needs to know of it. */
final class ContractDocument {
  private final JsonNode document;

  ContractDocument(String name) {
    try (InputStream yaml = ContractDocument.class.getResourceAsStream(name)) {
      document = new YAMLMapper().readTree(Objects.requireNonNull(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those that the operation is said to answer. */
  Set<Integer> statuses(String operationId) {
    return operation(operationId).get("responses").properties().stream()
        .map(response -> Integer.valueOf(response.getKey()))
        .collect(Collectors.toSet());
  }

  /** The names of the headers that an answer is said to have. */
  Set<String> headers(String operationId, int status) {
    Set<String> names = new TreeSet<>();
    resolved(operation(operationId).at("/responses/" + status))
        .path("headers")
        .fieldNames()
        .forEachRemaining(names::add);
    return names;
  }

  /** A body for the operation. */
  Optional<JsonNode> example(String operationId) {
    JsonNode content = operation(operationId).at("/requestBody/content/application~1json");
    return StreamSupport.stream(content.path("examples").spliterator(), false)
        .map(example -> example.get("value"))
        .findFirst();
  }

  private JsonNode operation(String id) {
    for (JsonNode path : document.get("paths")) {
      for (JsonNode operation : path) {
        if (operation.path("operationId").asText().equals(id)) {
          return operation;
        }
      }
    }
    throw new IllegalArgumentException("the contract has no operation " + id);
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
  }
}
