package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.upload.Uploads;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The routes of an API: one for each operation of its contract, and what every request meets before
 * and after them. A request is counted before anything else, its key is asked for before its body
 * is read, and it is handled on a virtual thread of its own.
 */
final class ContractRoutes {
  private final Vertx vertx;
  private final OffLoop offLoop;
  private final Admission admission;
  private final Uploads uploads;
  private final Api.Http http;

  ContractRoutes(
      Vertx vertx, OffLoop offLoop, Admission admission, Uploads uploads, Api.Http http) {
    this.vertx = vertx;
    this.offLoop = offLoop;
    this.admission = admission;
    this.uploads = uploads;
    this.http = http;
  }

  /** Carries out an operation: the answer, or nothing where it was written already. May block. */
  @FunctionalInterface
  interface Work {
    Optional<Rendered> answer(RoutingContext context, Contract.Operation operation);
  }

  /**
   * What takes the requests of one API.
   *
   * @param base which its paths begin with; what is below it is counted
   * @param beside adds what its contract does not name
   */
  Handler<HttpServerRequest> handler(
      String base, Contract contract, Consumer<Router> beside, Work work, Failures failures) {
    Cors cors = new Cors(http.corsOrigins());
    Router router = Router.router(vertx);
    router.route().handler(RequestId::assign);
    router.route().handler(cors::allow);
    router.route().handler(admission.below(base));
    router.route().handler(ContractRoutes::refuseMalformed);
    beside.accept(router);
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    for (Contract.Operation operation : contract.operations()) {
      String path = base + operation.path().replaceAll("\\{(\\w+)}", ":$1");
      methods.computeIfAbsent(path, key -> new TreeSet<>()).add(operation.method());
      operation(router, path, operation, work);
    }
    methods.forEach((path, allowed) -> {
      allowed.add("OPTIONS");
      if (allowed.contains("GET")) {
        allowed.add("HEAD");
      }
      router.options(path).handler(context -> cors.answer(context, allowed));
      router.route(path).handler(refuseMethod(allowed));
    });
    router.route().handler(ContractRoutes::refusePath);
    failures.answer(router);
    return router;
  }

  /** Each step has a route of its own: none takes what reads the body after other handlers. */
  void operation(Router router, String path, Contract.Operation operation, Work work) {
    // Before the body is read: an anonymous large one is unauthorized, not too large.
    step(router, path, operation, ContractRoutes::requireKey);
    // Of what takes none as well: one that was sent by mistake is not overlooked.
    Optional<Contract.Body> file = operation.body().filter(body -> !body.isJson());
    if (file.isPresent()) {
      String type = file.get().mediaType();
      step(router, path, operation, new FileBody(offLoop, uploads, type, http.bodyTime()));
    } else if (operation.body().isPresent() || operation.method().equals("POST")) {
      step(router, path, operation, new BodyTimeLimit(vertx, http.bodyTime()));
      step(router, path, operation, BodyHandler.create(false).setBodyLimit(http.maxJsonBytes()));
    }
    step(router, path, operation, context -> carryOut(context, operation, work));
  }

  /** What answers GET answers HEAD. */
  private static void step(
      Router router, String path, Contract.Operation operation, Handler<RoutingContext> handler) {
    Route route = router.route(path).method(HttpMethod.valueOf(operation.method()));
    if (operation.method().equals("GET")) {
      route.method(HttpMethod.HEAD);
    }
    route.handler(handler);
  }

  private static void requireKey(RoutingContext context) {
    Caller.require(context);
    context.next();
  }

  private void carryOut(RoutingContext context, Contract.Operation operation, Work work) {
    if (context.response().ended()) {
      return; // The body came after it had been given up.
    }
    offLoop.run(
        context,
        () ->
            work.answer(context, operation)
                .map(it -> Answers.encode(context.request(), it.status(), Answers.JSON, it.body())),
        answer -> answer.ifPresent(it -> Answers.write(context.request(), it)));
  }

  private static void refuseMalformed(RoutingContext context) {
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

  private static void refusePath(RoutingContext context) {
    context.fail(
        new RequestException(
            ErrorCode.NOT_FOUND,
            "There is nothing at %s; /docs shows what there is."
                .formatted(context.request().path())));
  }
}
