package dev.slipway.api;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The REST API: the operations of its contract and, beside them, health, metrics, documents and the
 * entrance of git hosts.
 */
final class ApiServer {
  private static final String BASE = "/v1";

  private final ContractRoutes routes;
  private final OffLoop offLoop;
  private final Readiness readiness;
  private final MetricsPage metrics;
  private final GitHookEntrance hooks;
  private final List<StaticDocument> documents;

  ApiServer(
      ContractRoutes routes,
      OffLoop offLoop,
      Readiness readiness,
      MetricsPage metrics,
      GitHookEntrance hooks,
      List<StaticDocument> documents) {
    this.routes = routes;
    this.offLoop = offLoop;
    this.readiness = readiness;
    this.metrics = metrics;
    this.hooks = hooks;
    this.documents = documents;
  }

  /** What takes the requests of the API's host name. */
  Handler<HttpServerRequest> handler(Contract contract, Dispatch dispatch) {
    return routes.handler(
        BASE, contract, this::beside, dispatch::answer, new Failures(ErrorMapper::body));
  }

  private void beside(Router router) {
    health(router);
    look(router, "/metrics").handler(context -> metrics.handle(context, offLoop));
    hooks.mount(router);
    documents.forEach(document -> document.mount(router, offLoop));
  }

  private void health(Router router) {
    Rendered alive = new Rendered(200, Buffer.buffer(Json.write(Map.of("status", "ok"))));
    look(router, "/healthz").handler(context -> write(context, alive));
    look(router, "/readyz")
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

  /** With GET or HEAD, as probes do; nothing else is possible there. */
  private static Route look(Router router, String path) {
    Route route = router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD);
    router.route(path).handler(ContractRoutes.refuseMethod(Set.of("GET", "HEAD")));
    return route;
  }

  private static void write(RoutingContext context, Rendered answer) {
    Answers.write(
        context.request(),
        new Answers.Encoded(answer.status(), Answers.JSON, answer.body(), Optional.empty()));
  }
}
