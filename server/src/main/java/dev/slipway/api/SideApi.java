package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.LinkedHashMap;
import java.util.List;
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
 * @param operations by the contract's {@code operationId}
 */
public record SideApi(
    String base,
    String contract,
    Function<RequestException, Object> errors,
    Map<String, Operation> operations) {
  /**
   * What is done with a request. All operations take a body.
   *
   * @param faults of a body that a schema cannot tell, by field; it may break the schema, too
   * @param answer to a body without any fault
   */
  public record Operation(
      Function<JsonNode, Map<String, String>> faults, UnaryOperator<JsonNode> answer) {}

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
    Cors cors = new Cors(parts.http().corsOrigins());
    Router router = Router.router(parts.vertx());
    router.route().handler(RequestId::assign);
    router.route().handler(cors::allow);
    router.route().handler(Api.admission(parts, offLoop).below(base));
    router.route().handler(ApiServer::refuseMalformed);
    new ServedContract(contract, parts.addresses().publicUrl())
        .documents(base)
        .forEach(document -> document.mount(router, offLoop));
    Contract rules = Contract.load(contract);
    Requests requests = new Requests(rules);
    for (Contract.Operation operation : rules.operations()) {
      // Each has a route of its own: none takes what reads the body after other handlers. The key
      // comes first, or an anonymous large body would be too large, not unauthorized.
      List<Handler<RoutingContext>> steps =
          List.of(
              SideApi::requireKey,
              new BodyTimeLimit(parts.vertx(), parts.http().bodyTime()),
              BodyHandler.create(false).setBodyLimit(parts.http().maxJsonBytes()),
              carryOut(operation, requests, offLoop));
      HttpMethod method = HttpMethod.valueOf(operation.method());
      steps.forEach(step -> router.route(method, base + operation.path()).handler(step));
    }
    methods(rules)
        .forEach((path, allowed) -> {
          router.options(path).handler(context -> cors.answer(context, allowed));
          router.route(path).handler(ApiServer.refuseMethod(allowed));
        });
    router.route().handler(ApiServer::refusePath);
    new Failures(failure -> Json.write(errors.apply(failure))).answer(router);
    return router;
  }

  private Map<String, Set<String>> methods(Contract rules) {
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    for (Contract.Operation operation : rules.operations()) {
      methods
          .computeIfAbsent(base + operation.path(), path -> new TreeSet<>(Set.of("OPTIONS")))
          .add(operation.method());
    }
    return methods;
  }

  private static void requireKey(RoutingContext context) {
    Admission.account(context);
    context.next();
  }

  private Handler<RoutingContext> carryOut(
      Contract.Operation operation, Requests requests, OffLoop offLoop) {
    Operation work =
        Optional.ofNullable(operations.get(operation.id()))
            .orElseThrow(
                () -> new IllegalStateException("nothing handles the operation " + operation.id()));
    return context -> {
      if (context.response().ended()) {
        return; // The body came after it had been given up.
      }
      offLoop.run(
          context,
          () -> {
            JsonNode body =
                requests
                    .call(context, operation, (call, faults) -> check(work, call, faults))
                    .body()
                    .orElseThrow();
            Rendered answer =
                new Rendered(200, Buffer.buffer(Json.write(work.answer().apply(body))));
            return Answers.encode(context.request(), answer);
          },
          answer -> Answers.write(context.request(), answer));
    };
  }

  private static void check(Operation operation, Call call, Faults faults) {
    call.body().ifPresent(body -> operation.faults().apply(body).forEach(faults::add));
  }
}
