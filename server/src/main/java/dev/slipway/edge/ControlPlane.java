package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Who answers for API and dashboard. */
public sealed interface ControlPlane {
  /** In the route table that leads to it alone; no host has such a name. */
  String NAME = "(control plane)";

  /** In the access log, where an application has its ids. */
  String ID = "control";

  /**
   * This process.
   *
   * @param requests called on an event loop, so that it must not block
   */
  record Here(Handler<HttpServerRequest> requests) implements ControlPlane {}

  /**
   * Another process of this machine and user: requests are passed on to it.
   *
   * @param socket see {@link EdgeOptions#controlSocket}
   */
  record Apart(Path socket) implements ControlPlane {
    /** The same parts with a single route; where there is no answer, nothing is started. */
    EdgeParts parts(EdgeParts apps) {
      Target target = new Target(new InstanceId(ID), socket.toString(), 0);
      LiveRoutes routes = new LiveRoutes();
      routes.apply(
          new RouteTable(
              1,
              Map.of(
                  NAME,
                  new Route(new ProjectId(ID), new DeploymentId(ID), false, List.of(target)))));
      return new EdgeParts(
          apps.vertx(),
          apps.client(),
          routes,
          new Ejections(apps.vertx(), routes, apps.options().answerPatience()),
          _ -> CompletableFuture.failedFuture(new IllegalStateException("it does not answer")),
          apps.sites(),
          apps.forwarded(),
          apps.options());
    }
  }
}
