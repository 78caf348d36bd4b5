package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks requests against the contract, and against the operations' own rules. */
final class Requests {
  private static final Pattern JSON_TYPE =
      Pattern.compile("(?i)application/json\\s*(;\\s*charset=\"?utf-8\"?\\s*)?");

  private static final String LEARNED = "learned";

  private final Contract contract;

  Requests(Contract contract) {
    this.contract = contract;
  }

  /**
   * The request as the operation wants it.
   *
   * @param check what the operation asks for beyond the contract
   * @throws RequestException with every fault of the request in one message
   */
  Call call(RoutingContext context, Contract.Operation operation, Operations.Check check) {
    Map<String, String> path = identifiers(context.pathParams());
    Faults faults = new Faults();
    Map<String, List<String>> query = new LinkedHashMap<>();
    context.queryParams().names().forEach(name -> query.put(name, context.queryParam(name)));
    query(query, operation, faults);
    headers(context.request(), operation, faults);
    Optional<JsonNode> body =
        operation.body().filter(Contract.Body::isJson).map(it -> body(context, it, faults));
    if (operation.body().isEmpty() && !isEmpty(context)) {
      faults.add("", "this request takes no body; send none, or {}");
    }
    Map<String, String> given = new LinkedHashMap<>();
    query.forEach((name, values) -> given.put(name, values.getFirst()));
    Call call =
        new Call(
            Caller.require(context), path, given, body, learned(context), Optional.of(context));
    check.look(call, faults);
    faults.refuse();
    return call;
  }

  /** The same for a request that was made within this process. */
  Call call(
      Caller caller, Contract.Operation operation, LocalRequest asked, Operations.Check check) {
    Map<String, String> path = identifiers(asked.path());
    Faults faults = new Faults();
    Map<String, List<String>> query = new LinkedHashMap<>();
    asked.query().forEach((name, value) -> query.put(name, List.of(value)));
    query(query, operation, faults);
    asked.body().ifPresent(Json::requireStorable);
    operation
        .body()
        .ifPresent(it -> contract.check(it.schema(), asked.body().orElseThrow(), "", faults));
    Call call =
        new Call(caller, path, asked.query(), asked.body(), new HashMap<>(), Optional.empty());
    check.look(call, faults);
    faults.refuse();
    return call;
  }

  /** Of one request, however often it is read. */
  private static Map<Class<?>, Object> learned(RoutingContext context) {
    Map<Class<?>, Object> known = context.get(LEARNED);
    if (known == null) {
      known = new HashMap<>();
      context.put(LEARNED, known);
    }
    return known;
  }

  private static Map<String, String> identifiers(Map<String, String> path) {
    if (path.values().stream().anyMatch(Requests::holdsNul)) {
      throw new RequestException(ErrorCode.NOT_FOUND, "No identifier holds a NUL.");
    }
    return path;
  }

  private void query(Map<String, List<String>> query, Contract.Operation operation, Faults faults) {
    List<String> names = operation.query().stream().map(Contract.Parameter::name).sorted().toList();
    for (String name : query.keySet()) {
      if (!names.contains(name)) {
        faults.addUnknown(name, name, names);
      }
    }
    for (Contract.Parameter parameter : operation.query()) {
      List<String> values = query.getOrDefault(parameter.name(), List.of());
      if (values.size() > 1) {
        faults.add(parameter.name(), "is given more than once");
      }
      for (String value : values) {
        if (holdsNul(value)) {
          faults.add(parameter.name(), "holds a NUL; no text may");
        }
        contract.check(parameter.schema(), parameter.parse(value), parameter.name(), faults);
      }
    }
  }

  private void headers(HttpServerRequest request, Contract.Operation operation, Faults faults) {
    for (Contract.Parameter parameter : operation.headers()) {
      if (parameter.name().equals(IdempotencyKey.HEADER)) {
        IdempotencyKey.check(request, faults);
        continue;
      }
      for (String value : request.headers().getAll(parameter.name())) {
        contract.check(parameter.schema(), parameter.parse(value), parameter.name(), faults);
      }
    }
  }

  private JsonNode body(RoutingContext context, Contract.Body expected, Faults faults) {
    HttpServerRequest request = context.request();
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !JSON_TYPE.matcher(type).matches()) {
      throw new RequestException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must have Content-Type: application/json.");
    }
    String coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (coding != null && !coding.strip().equalsIgnoreCase("identity")) {
      throw new RequestException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body must be sent as it is, without Content-Encoding.");
    }
    Buffer buffer = context.body().buffer();
    JsonNode json = Json.read(buffer == null ? new byte[0] : buffer.getBytes());
    contract.check(expected.schema(), json, "", faults);
    return json;
  }

  /** Whether there is no body, or one that says nothing. */
  private static boolean isEmpty(RoutingContext context) {
    Buffer buffer = context.body() == null ? null : context.body().buffer();
    if (buffer == null) {
      return true;
    }
    String text = buffer.toString().strip();
    return text.isEmpty() || text.equals("{}");
  }

  /** PostgreSQL takes no NUL in a text. */
  private static boolean holdsNul(String text) {
    return text.indexOf(0) >= 0;
  }
}
