package dev.slipway.api;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The REST API: the operations of its contract and, beside them, health and documents. */
final class ApiServer {
  private static final String BASE = "/v1";

  private final ContractRoutes routes;
  private final OffLoop offLoop;
  private final Readiness readiness;
  private final List<StaticDocument> documents;

  ApiServer(
      ContractRoutes routes, OffLoop offLoop, Readiness readiness, List<StaticDocument> documents) {
    this.routes = routes;
    this.offLoop = offLoop;
    this.readiness = readiness;
    this.documents = documents;
  }

  /** What takes the requests of the API's host name. */
  Handler<HttpServerRequest> handler(Contract contract, Dispatch dispatch) {
    return routes.handler(
        BASE, contract, this::beside, dispatch::answer, new Failures(ErrorMapper::body));
  }

  private void beside(Router router) {
    health(router);
    documents.forEach(document -> document.mount(router, offLoop));
  }

  private void health(Router router) {
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

  private static void write(RoutingContext context, Rendered answer) {
    Answers.write(
        context.request(), new Answers.Encoded(answer.status(), answer.body(), Optional.empty()));
  }
}
