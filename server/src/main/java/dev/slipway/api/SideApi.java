package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Another API of the service: it has a contract, a base path and an error shape of its own, and the
 * keys, limits and checks of the main one.
 *
 * @param base where it is, for example {@code /sandbox}
 * @param contract a resource on the class path
 * @param errors an error as its JSON value
 * @param operations by the contract's {@code operationId}: from a body that is what the contract
 *     wants to the answer's
 */
public record SideApi(
    String base,
    String contract,
    Function<RequestException, Object> errors,
    Map<String, UnaryOperator<JsonNode>> operations) {
  public SideApi {
    operations = Map.copyOf(operations);
  }

  /** Whether a request is for this API, by its path as it was sent. */
  public boolean takes(HttpServerRequest request) {
    String path = String.valueOf(request.path());
    return path.equals(base) || path.startsWith(base + "/");
  }

  /** What takes those requests. */
  public Handler<HttpServerRequest> handler(Api.Parts parts) {
    OffLoop offLoop = new OffLoop(parts.vertx());
    Router router = Router.router(parts.vertx());
    router.route().handler(RequestId::assign);
    router.route().handler(Api.admission(parts, offLoop).below(base));
    new ServedContract(contract, parts.addresses().publicUrl())
        .documents(base)
        .forEach(document -> document.mount(router, offLoop));
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    Contract operationsOf = Contract.load(contract);
    Requests requests = new Requests(operationsOf);
    for (Contract.Operation operation : operationsOf.operations()) {
      String path = base + operation.path();
      methods.computeIfAbsent(path, key -> new TreeSet<>()).add(operation.method());
      route(router, path, operation, requests, offLoop, parts.http().maxJsonBytes());
    }
    methods.forEach((path, allowed) -> router.route(path).handler(ApiServer.refuseMethod(allowed)));
    router.route().handler(ApiServer::refusePath);
    new Failures(failure -> Json.write(errors.apply(failure))).answer(router);
    return router;
  }

  private void route(
      Router router,
      String path,
      Contract.Operation operation,
      Requests requests,
      OffLoop offLoop,
      long maxJsonBytes) {
    UnaryOperator<JsonNode> work =
        Optional.ofNullable(operations.get(operation.id()))
            .orElseThrow(
                () -> new IllegalStateException("nothing handles the operation " + operation.id()));
    HttpMethod method = HttpMethod.valueOf(operation.method());
    // Before the body is read: an anonymous large one is unauthorized, not too large.
    router
        .route(method, path)
        .handler(context -> {
          Admission.account(context);
          context.next();
        });
    router.route(method, path).handler(BodyHandler.create(false).setBodyLimit(maxJsonBytes));
    router
        .route(method, path)
        .handler(context ->
            offLoop.run(
                context,
                () -> work.apply(body(requests, context, operation)),
                answer -> write(context, answer)));
  }

  private static JsonNode body(
      Requests requests, RoutingContext context, Contract.Operation operation) {
    return requests
        .call(context, operation, (call, faults) -> {})
        .body()
        .orElseThrow(
            () -> new RequestException(ErrorCode.INVALID_REQUEST, "The request has no body."));
  }

  private static void write(RoutingContext context, JsonNode answer) {
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(Buffer.buffer(Json.write(answer)));
  }
}
