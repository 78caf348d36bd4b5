package dev.slipway.edge;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.time.Duration;

/**
 * Has instances that refuse connections passed over, and asks them itself until they accept one: no
 * visitor has to find out. For one event loop.
 */
final class Ejections {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final NetClient client;
  private final LiveRoutes routes;

  Ejections(Vertx vertx, LiveRoutes routes) {
    this.vertx = vertx;
    this.routes = routes;
    this.client =
        vertx.createNetClient(
            new NetClientOptions().setConnectTimeout(Math.toIntExact(CONNECT_LIMIT.toMillis())));
  }

  /** There was no connection to the target. */
  void refused(Target target) {
    routes
        .ejection(target.instance())
        .flatMap(Ejection::begin)
        .ifPresent(pause -> probeAfter(target, pause));
  }

  private void probeAfter(Target target, Duration pause) {
    vertx.setTimer(
        pause.toMillis(),
        _ ->
            client
                .connect(target.port(), target.host())
                .onComplete(
                    socket -> {
                      routes.ejection(target.instance()).ifPresent(Ejection::end);
                      socket.close();
                    },
                    // One that is gone from the routes is not asked any more.
                    _ ->
                        routes
                            .ejection(target.instance())
                            .map(Ejection::prolong)
                            .ifPresent(longer -> probeAfter(target, longer))));
  }
}
