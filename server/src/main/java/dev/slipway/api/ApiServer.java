package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The REST API: a route for each operation of the contract. A request is authenticated before its
 * body is read, checked against the contract, and handled on a virtual thread of its own.
 */
public final class ApiServer {
  private static final String BASE = "/v1";
  private static final Pattern JSON_TYPE =
      Pattern.compile("(?i)application/json\\s*(;\\s*charset=\"?utf-8\"?\\s*)?");

  private final Vertx vertx;
  private final OffLoop offLoop;
  private final Admission admission;
  private final long maxJsonBytes;
  private final Map<String, Operations.Handler> handlers = new LinkedHashMap<>();

  /**
   * @param resources together they handle each operation of the contract
   */
  ApiServer(
      Vertx vertx,
      OffLoop offLoop,
      Admission admission,
      long maxJsonBytes,
      List<Operations> resources) {
    this.vertx = vertx;
    this.offLoop = offLoop;
    this.admission = admission;
    this.maxJsonBytes = maxJsonBytes;
    resources.forEach(resource -> handlers.putAll(resource.handlers()));
  }

  /** What takes the requests of the API's host name. */
  Handler<HttpServerRequest> handler(Contract contract, Readiness readiness) {
    Router router = Router.router(vertx);
    router.route().handler(RequestId::assign);
    router.route().handler(admission.below(BASE));
    router.get("/healthz").handler(context -> write(context, 200, Map.of("status", "ok")));
    router
        .get("/readyz")
        .handler(context -> offLoop.run(context, readiness::check, ready -> write(context, ready)));
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    for (Contract.Operation operation : contract.operations()) {
      String path = BASE + operation.path().replaceAll("\\{(\\w+)}", ":$1");
      methods.computeIfAbsent(path, key -> new TreeSet<>()).add(operation.method());
      route(router, path, operation);
    }
    methods.forEach((path, allowed) -> router.route(path).handler(refuseMethod(allowed)));
    router.route().handler(ApiServer::refusePath);
    new Failures(ErrorMapper::body).answer(router);
    return router;
  }

  private void route(Router router, String path, Contract.Operation operation) {
    Operations.Handler handler = handlers.get(operation.id());
    if (handler == null) {
      throw new IllegalStateException("nothing handles the operation " + operation.id());
    }
    HttpMethod method = HttpMethod.valueOf(operation.method());
    // Before the body is read: an anonymous large one is unauthorized, not too large.
    router
        .route(method, path)
        .handler(context -> {
          Admission.account(context);
          context.next();
        });
    if (operation.body().isPresent()) {
      router.route(method, path).handler(BodyHandler.create(false).setBodyLimit(maxJsonBytes));
    }
    router
        .route(method, path)
        .handler(context ->
            offLoop.run(
                context,
                () -> handler.handle(call(context, operation)),
                answer -> write(context, answer)));
  }

  /** The request as the contract wants it, or every fault of it in one message. */
  private static Call call(RoutingContext context, Contract.Operation operation) {
    if (context.pathParams().values().stream().anyMatch(ApiServer::holdsNul)) {
      throw new RequestException(ErrorCode.NOT_FOUND, "No identifier holds a NUL.");
    }
    List<String> faults = new ArrayList<>(queryFaults(context, operation));
    Optional<JsonNode> body = operation.body().map(expected -> body(context, expected, faults));
    if (!faults.isEmpty()) {
      throw new RequestException(ErrorCode.INVALID_REQUEST, String.join("; ", faults));
    }
    return new Call(context, Admission.account(context).id(), body);
  }

  private static JsonNode body(
      RoutingContext context, Contract.Body expected, List<String> faults) {
    String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !JSON_TYPE.matcher(type).matches()) {
      throw new RequestException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must have Content-Type: application/json.");
    }
    Buffer buffer = context.body().buffer();
    JsonNode json = Json.read(buffer == null ? new byte[0] : buffer.getBytes());
    faults.addAll(Contract.faults(expected.schema(), json, expected.fields()));
    return json;
  }

  private static List<String> queryFaults(RoutingContext context, Contract.Operation operation) {
    List<String> names =
        operation.query().stream().map(Contract.QueryParameter::name).sorted().toList();
    List<String> faults = new ArrayList<>();
    for (String name : context.queryParams().names()) {
      if (!names.contains(name)) {
        faults.add(Faults.unknown(name, names));
      }
    }
    for (Contract.QueryParameter parameter : operation.query()) {
      List<String> values = context.queryParam(parameter.name());
      if (values.size() > 1) {
        faults.add(parameter.name() + ": is given more than once");
      }
      for (String value : values) {
        if (holdsNul(value)) {
          faults.add(parameter.name() + ": holds a NUL; no text may");
        }
        for (String fault :
            Contract.faults(parameter.schema(), parameter.parse(value), List.of())) {
          faults.add(parameter.name() + ": " + fault);
        }
      }
    }
    return faults;
  }

  /** PostgreSQL takes no NUL in a text. */
  private static boolean holdsNul(String text) {
    return text.indexOf(0) >= 0;
  }

  private static Handler<RoutingContext> refuseMethod(Set<String> allowed) {
    return context -> {
      context.response().putHeader(HttpHeaders.ALLOW, String.join(", ", allowed));
      context.fail(
          new RequestException(
              ErrorCode.METHOD_NOT_ALLOWED,
              "%s is not possible here; %s is."
                  .formatted(context.request().method(), String.join(" or ", allowed))));
    };
  }

  private static void refusePath(RoutingContext context) {
    context.fail(
        new RequestException(
            ErrorCode.NOT_FOUND,
            "There is nothing at %s; the API's paths begin with /v1."
                .formatted(context.request().path())));
  }

  private static void write(RoutingContext context, Answer answer) {
    switch (answer) {
      case Answer.Data(int status, Object data) -> write(context, status, new DataView(data));
      case Answer.Listed listed -> write(context, 200, listed);
      case Answer.Streamed() -> {}
    }
  }

  private static void write(RoutingContext context, Readiness.State state) {
    write(context, state.ready() ? 200 : 503, state);
  }

  private static void write(RoutingContext context, int status, Object body) {
    context
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(Buffer.buffer(Json.write(body)));
  }

  private record DataView(Object data) {}
}
