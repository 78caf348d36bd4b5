package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The REST API: a route for each operation of the contract. A request is counted before anything
 * else, its key is asked for before its body is read, and it is handled on a virtual thread of its
 * own.
 */
final class ApiServer {
  private static final String BASE = "/v1";

  private final Vertx vertx;
  private final Contract contract;
  private final OffLoop offLoop;
  private final Admission admission;
  private final Dispatch dispatch;
  private final Api.Http http;

  ApiServer(
      Vertx vertx,
      Contract contract,
      OffLoop offLoop,
      Admission admission,
      Dispatch dispatch,
      Api.Http http) {
    this.vertx = vertx;
    this.contract = contract;
    this.offLoop = offLoop;
    this.admission = admission;
    this.dispatch = dispatch;
    this.http = http;
  }

  /** What takes the requests of the API's host name. */
  Handler<HttpServerRequest> handler(Readiness readiness, List<StaticDocument> documents) {
    Cors cors = new Cors(http.corsOrigins());
    Router router = Router.router(vertx);
    router.route().handler(RequestId::assign);
    router.route().handler(cors::allow);
    router.route().handler(admission.below(BASE));
    router.route().handler(ApiServer::refuseMalformed);
    health(router, readiness);
    documents.forEach(document -> document.mount(router, offLoop));
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    for (Contract.Operation operation : contract.operations()) {
      String path = BASE + operation.path().replaceAll("\\{(\\w+)}", ":$1");
      methods.computeIfAbsent(path, key -> new TreeSet<>()).add(operation.method());
      route(router, path, operation);
    }
    methods.forEach((path, allowed) -> {
      allowed.add("OPTIONS");
      if (allowed.contains("GET")) {
        allowed.add("HEAD");
      }
      router.options(path).handler(context -> cors.answer(context, allowed));
      router.route(path).handler(refuseMethod(allowed));
    });
    router.route().handler(ApiServer::refusePath);
    new Failures(ErrorMapper::body).answer(router);
    return router;
  }

  private void health(Router router, Readiness readiness) {
    Rendered alive = new Rendered(200, Buffer.buffer(Json.write(Map.of("status", "ok"))));
    router.get("/healthz").handler(context -> write(context, alive));
    router
        .get("/readyz")
        .handler(context ->
            offLoop.run(
                context,
                readiness::check,
                state ->
                    write(
                        context,
                        new Rendered(
                            state.ready() ? 200 : 503, Buffer.buffer(Json.write(state))))));
  }

  private void route(Router router, String path, Contract.Operation operation) {
    // Before the body is read: an anonymous large one is unauthorized, not too large.
    route(
        router,
        path,
        operation.method(),
        context -> {
          Admission.account(context);
          context.next();
        });
    if (operation.body().isPresent()) {
      route(router, path, operation.method(), new BodyTimeLimit(vertx, http.bodyTime()));
      route(
          router,
          path,
          operation.method(),
          BodyHandler.create(false).setBodyLimit(http.maxJsonBytes()));
    }
    route(
        router,
        path,
        operation.method(),
        context -> {
          if (context.response().ended()) {
            return; // The body came after it had been given up.
          }
          offLoop.run(
              context,
              () -> dispatch.answer(context, operation),
              answer -> answer.ifPresent(it -> Answers.write(context.request(), it)));
        });
  }

  /** What answers GET answers HEAD. */
  private static void route(
      Router router, String path, String method, Handler<RoutingContext> handler) {
    Route route = router.route(path).method(HttpMethod.valueOf(method));
    if (method.equals("GET")) {
      route.method(HttpMethod.HEAD);
    }
    route.handler(handler);
  }

  static void refuseMalformed(RoutingContext context) {
    if (!context.request().decoderResult().isFailure()) {
      context.next();
      return;
    }
    context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    context.addEndHandler(_ -> context.request().connection().close());
    context.fail(
        new RequestException(
            ErrorCode.INVALID_REQUEST,
            "The head of the request is malformed or larger than the server takes."));
  }

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

  private static void write(RoutingContext context, Rendered answer) {
    Answers.write(
        context.request(), new Answers.Encoded(answer.status(), answer.body(), Optional.empty()));
  }
}
