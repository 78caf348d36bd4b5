package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The OpenAPI contract: which operations there are, and what their requests must look like. It is
 * the one source of truth for both. Immutable.
 */
final class Contract {
  private static final String LOCATION = "https://slipway.dev/contract.json";
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,40}");
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  private final JsonNode document;
  private final SchemaRegistry registry;
  private final FaultWords words;
  private final List<Operation> operations;

  private Contract(JsonNode document) {
    this.document = document;
    this.registry =
        SchemaRegistry.withDefaultDialect(
            Dialects.getOpenApi31(),
            builder ->
                builder
                    .schemas(Map.of(LOCATION, document.toString()))
                    .schemaRegistryConfig(
                        SchemaRegistryConfig.builder()
                            .formatAssertionsEnabled(true)
                            .locale(Locale.ENGLISH)
                            .build()));
    this.words = new FaultWords(document);
    this.operations = readOperations();
  }

  /** The contract of the resource {@code name} on the class path. */
  static Contract load(String name) {
    try {
      return new Contract(new YAMLMapper().readTree(ClassPath.read(name)));
    } catch (IOException e) {
      throw new UncheckedIOException("the contract " + name + " cannot be read", e);
    }
  }

  /**
   * @param path below the base address, with parameters as {@code {name}}
   * @param body what a request's body must be; absent where the operation takes none
   */
  record Operation(
      String id,
      String method,
      String path,
      List<Parameter> query,
      List<Parameter> headers,
      Optional<Body> body) {}

  /** Of the query, or a header. */
  record Parameter(String name, String type, Schema schema) {
    /** The value as the schema's type, where it has the form of one. */
    JsonNode parse(String value) {
      if (type.equals("integer") && WHOLE_NUMBER.matcher(value).matches()) {
        return BigIntegerNode.valueOf(new BigInteger(value));
      }
      if (type.equals("boolean") && (value.equals("true") || value.equals("false"))) {
        return BooleanNode.valueOf(value.equals("true"));
      }
      return TextNode.valueOf(value);
    }
  }

  /**
   * @param mediaType all but JSON is taken as a file
   */
  record Body(String mediaType, Schema schema) {
    private static final String JSON = "application/json";

    boolean isJson() {
      return mediaType.equals(JSON);
    }
  }

  List<Operation> operations() {
    return operations;
  }

  /**
   * @throws IllegalArgumentException where the contract has none of that id
   */
  Operation operation(String id) {
    return operations.stream()
        .filter(it -> it.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the contract has no operation " + id));
  }

  /**
   * @throws IllegalStateException where an operation is not among those that are handled
   */
  void requireHandled(Set<String> handled) {
    for (Operation operation : operations) {
      if (!handled.contains(operation.id())) {
        throw new IllegalStateException("nothing handles the operation " + operation.id());
      }
    }
  }

  /**
   * Adds the faults of a value.
   *
   * @param place where the value stands; empty for a body
   */
  void check(Schema schema, JsonNode value, String place, Faults faults) {
    schema.validate(value).stream()
        .sorted(FaultWords.IN_ORDER)
        .forEach(error -> words.tell(error, place, faults));
  }

  /** The schema of an answer with this status, for tests. */
  Optional<Schema> answer(String operationId, int status) {
    for (Operation operation : operations) {
      if (operation.id().equals(operationId)) {
        String pointer =
            "/paths/%s/%s/responses/%d"
                .formatted(
                    escape(operation.path()), operation.method().toLowerCase(Locale.ROOT), status);
        JsonNode response = document.at(pointer);
        String target = response.has("$ref") ? response.get("$ref").asText().substring(1) : pointer;
        String schema = target + "/content/application~1json/schema";
        return document.at(schema).isMissingNode() ? Optional.empty() : Optional.of(schema(schema));
      }
    }
    return Optional.empty();
  }

  private List<Operation> readOperations() {
    List<Operation> found = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      for (Map.Entry<String, JsonNode> entry : path.getValue().properties()) {
        if (METHODS.contains(entry.getKey())) {
          String pointer = "/paths/%s/%s".formatted(escape(path.getKey()), entry.getKey());
          found.add(operation(path.getKey(), entry.getKey(), entry.getValue(), pointer));
        }
      }
    }
    return List.copyOf(found);
  }

  private Operation operation(String path, String method, JsonNode node, String pointer) {
    return new Operation(
        node.get("operationId").asText(),
        method.toUpperCase(Locale.ROOT),
        path,
        parameters("query", node, pointer),
        parameters("header", node, pointer),
        body(node, pointer));
  }

  private Optional<Body> body(JsonNode operation, String pointer) {
    // Of one media type each.
    return operation.at("/requestBody/content").properties().stream()
        .map(Map.Entry::getKey)
        .map(type ->
            new Body(type, schema(pointer + "/requestBody/content/" + escape(type) + "/schema")))
        .findFirst();
  }

  private List<Parameter> parameters(String in, JsonNode operation, String pointer) {
    List<Parameter> found = new ArrayList<>();
    JsonNode parameters = operation.path("parameters");
    for (int i = 0; i < parameters.size(); i++) {
      JsonNode parameter = parameters.get(i);
      String at = pointer + "/parameters/" + i;
      if (parameter.has("$ref")) {
        at = parameter.get("$ref").asText().substring(1);
        parameter = document.at(at);
      }
      if (parameter.path("in").asText().equals(in)) {
        found.add(
            new Parameter(
                parameter.get("name").asText(),
                parameter.at("/schema/type").asText(),
                schema(at + "/schema")));
      }
    }
    return List.copyOf(found);
  }

  private Schema schema(String pointer) {
    return registry.getSchema(SchemaLocation.of(LOCATION + "#" + pointer));
  }

  private static String escape(String path) {
    // As a JSON pointer in a URI fragment; braces are not allowed there.
    return path.replace("~", "~0").replace("/", "~1");
  }
}
