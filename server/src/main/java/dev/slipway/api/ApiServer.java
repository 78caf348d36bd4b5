package dev.slipway.api;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The REST API: a route for each operation of the contract. A request is authenticated before its
 * body is read, checked against the contract, and handled on a virtual thread of its own.
 */
public final class ApiServer {
  private static final String BASE = "/v1";

  private final Vertx vertx;
  private final OffLoop offLoop;
  private final Admission admission;
  private final Idempotency idempotency;
  private final Requests requests;
  private final Contract contract;
  private final long maxJsonBytes;
  private final Map<String, Operations.Handler> handlers = new LinkedHashMap<>();
  private final Map<String, Operations.Check> checks = new LinkedHashMap<>();

  /**
   * @param resources together they handle each operation of the contract
   */
  ApiServer(
      Vertx vertx,
      OffLoop offLoop,
      Admission admission,
      Idempotency idempotency,
      Contract contract,
      long maxJsonBytes,
      List<Operations> resources) {
    this.vertx = vertx;
    this.offLoop = offLoop;
    this.admission = admission;
    this.idempotency = idempotency;
    this.requests = new Requests(contract);
    this.contract = contract;
    this.maxJsonBytes = maxJsonBytes;
    for (Operations resource : resources) {
      handlers.putAll(resource.handlers());
      checks.putAll(resource.checks());
    }
  }

  /** What takes the requests of the API's host name. */
  Handler<HttpServerRequest> handler(Readiness readiness, List<StaticDocument> documents) {
    Router router = Router.router(vertx);
    router.route().handler(RequestId::assign);
    router.route().handler(admission.below(BASE));
    router
        .get("/healthz")
        .handler(context ->
            write(context, new Rendered(200, Buffer.buffer(Json.write(Map.of("status", "ok"))))));
    router
        .get("/readyz")
        .handler(context -> offLoop.run(context, readiness::check, ready -> write(context, ready)));
    documents.forEach(document -> document.mount(router, offLoop));
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
    if (!handlers.containsKey(operation.id())) {
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
                () -> answer(context, operation),
                answer -> answer.ifPresent(it -> write(context, it))));
  }

  private Optional<Rendered> answer(RoutingContext context, Contract.Operation operation) {
    if (!operation.method().equals("POST")) {
      return handle(context, operation);
    }
    Rendered once =
        idempotency.once(
            context,
            Admission.account(context).id(),
            () ->
                handle(context, operation)
                    .orElseThrow(
                        () -> new IllegalStateException("a streamed answer cannot be kept")));
    return Optional.of(once);
  }

  /** Nothing where the handler has written the answer itself. */
  private Optional<Rendered> handle(RoutingContext context, Contract.Operation operation) {
    Call call =
        requests.call(context, operation, checks.getOrDefault(operation.id(), ApiServer::noCheck));
    try {
      Operations.Handler handler = Objects.requireNonNull(handlers.get(operation.id()));
      return switch (handler.handle(call)) {
        case Answer.Data data -> Optional.of(Rendered.of(data));
        case Answer.Listed page -> Optional.of(Rendered.of(page));
        case Answer.Streamed() -> Optional.empty();
      };
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(operation.id() + " failed", e);
    }
  }

  private static void noCheck(Call call, Faults faults) {}

  static Handler<RoutingContext> refuseMethod(Set<String> allowed) {
    return context -> {
      context.response().putHeader(HttpHeaders.ALLOW, String.join(", ", allowed));
      context.fail(
          new RequestException(
              ErrorCode.METHOD_NOT_ALLOWED,
              "%s is not possible here; %s is."
                  .formatted(context.request().method(), String.join(" or ", allowed))));
    };
  }

  static void refusePath(RoutingContext context) {
    context.fail(
        new RequestException(
            ErrorCode.NOT_FOUND,
            "There is nothing at %s; /docs shows what there is."
                .formatted(context.request().path())));
  }

  private static void write(RoutingContext context, Readiness.State state) {
    write(context, new Rendered(state.ready() ? 200 : 503, Buffer.buffer(Json.write(state))));
  }

  private static void write(RoutingContext context, Rendered answer) {
    context
        .response()
        .setStatusCode(answer.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(answer.body());
  }
}
