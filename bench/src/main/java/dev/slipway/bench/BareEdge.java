package dev.slipway.bench;

import dev.slipway.accesslog.AccessLog;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.edge.ControlPlane;
import dev.slipway.edge.EdgeOptions;
import dev.slipway.edge.EdgeRecords;
import dev.slipway.edge.EdgeServer;
import dev.slipway.edge.Route;
import dev.slipway.edge.RouteTable;
import dev.slipway.edge.Target;
import dev.slipway.metric.TrafficMeters;
import dev.slipway.release.ReleaseStore;
import dev.slipway.site.Site;
import dev.slipway.site.Sites;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The edge alone, as a process of its own, in front of a program and of a release of files. */
public final class BareEdge {
  static final String PROGRAM = "program.localhost";
  static final String SITE = "site.localhost";

  private BareEdge() {}

  /**
   * @param arguments the port to open, the program's port, the directory of the files, which is
   *     moved, one for the releases and, where one is wanted, one for the access log
   */
  public static void main(String[] arguments) {
    int program = Integer.parseInt(arguments[1]);
    ReleaseStore releases = new ReleaseStore(Path.of(arguments[3]), Clock.systemUTC());
    ReleaseId release =
        releases.pack(ReleaseId.of(DeploymentId.next()), Path.of(arguments[2])).id();
    AccessLog log =
        arguments.length > 4
            ? AccessLog.in(Path.of(arguments[4]), Duration.ofDays(1), 1 << 30)
            : AccessLog.off();
    EdgeServer edge =
        new EdgeServer(
            EdgeServer.newVertx(),
            new EdgeOptions("127.0.0.1", Integer.parseInt(arguments[0]), "localhost", "localhost"),
            _ -> CompletableFuture.failedFuture(new IllegalStateException("it always runs")),
            Sites.of(releases),
            new ControlPlane.Here(request -> request.response().end()),
            new EdgeRecords(log, new TrafficMeters()));
    Target target = new Target(InstanceId.next(), "127.0.0.1", program);
    Site site = new Site(release, "", Optional.empty(), false);
    edge.apply(
        new RouteTable(
            1,
            Map.of(
                PROGRAM,
                route(List.of(target), Optional.empty()),
                SITE,
                route(List.of(), Optional.of(site)))));
    edge.start();
  }

  private static Route route(List<Target> targets, Optional<Site> site) {
    return new Route(ProjectId.next(), DeploymentId.next(), false, targets, site, List.of());
  }
}
