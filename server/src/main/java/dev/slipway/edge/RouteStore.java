package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.db.Notifications;
import dev.slipway.release.ServingJson;
import dev.slipway.site.Site;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** Reads what every host name leads to. Runs in the caller's transaction. */
public final class RouteStore {
  /** Notified at the commit of every change. */
  static final String CHANNEL = "slipway_routes";

  private static final String BUMP = "UPDATE route_version SET version = version + 1";

  private static final String VERSION = "SELECT version FROM route_version";

  // Every deployment that has served and whose release is kept answers at an address of its own,
  // unless its project has that switched off.
  private static final String LOAD =
      """
      SELECT p.id AS project, p.label, d.id AS deployment, d.preview_label,
             p.live_deployment_id = d.id AS serving, p.previews <> 'OFF' AS previews, i.id AS instance, i.port,
             r.id AS release, r.served_at, CASE WHEN r.serving::json->>'kind' = 'site' THEN r.serving END AS site
        FROM deployment d
        JOIN project p ON p.id = d.project_id
        JOIN release r ON r.id = d.release_id AND r.pruned_at IS NULL
        LEFT JOIN instance i ON i.deployment_id = d.id AND i.state = 'HEALTHY'
       WHERE d.status IN ('LIVE', 'ROLLED_BACK') AND p.deleted_at IS NULL
       ORDER BY d.id, i.id
      """;

  private static final String DOMAINS =
      "SELECT name, project_id AS project FROM domain WHERE status = 'ACTIVE'";

  private final Addresses addresses;

  public RouteStore(Addresses addresses) {
    this.addresses = addresses;
  }

  void changed(Handle tx) {
    tx.execute(BUMP);
    Notifications.notify(tx, CHANNEL, "");
  }

  /** The whole table. Must run in one snapshot: version and routes belong together. */
  RouteTable load(Handle tx) {
    long version = tx.createQuery(VERSION).mapTo(Long.class).one();
    Map<DeploymentId, List<Row>> byDeployment = new LinkedHashMap<>();
    tx.createQuery(LOAD)
        .map((row, context) -> row(row))
        .forEach(row ->
            byDeployment.computeIfAbsent(row.deployment(), id -> new ArrayList<>()).add(row));
    Map<ProjectId, List<Site>> sites = sites(byDeployment.values());
    Map<ProjectId, List<String>> domains = domains(tx);
    Map<String, Route> routes = new HashMap<>();
    for (List<Row> rows : byDeployment.values()) {
      Row first = rows.getFirst();
      List<Target> targets = rows.stream().flatMap(row -> row.target().stream()).toList();
      if (first.previews()) {
        routes.put(
            addresses.hostOfApp(first.previewLabel()),
            new Route(
                first.project(),
                first.deployment(),
                true,
                targets,
                first.site().stream().toList()));
      }
      if (first.serving()) {
        Route route =
            new Route(
                first.project(),
                first.deployment(),
                false,
                targets,
                first
                    .site()
                    .map(site -> withEarlier(site, sites.getOrDefault(first.project(), List.of())))
                    .orElse(List.of()));
        routes.put(addresses.hostOfApp(first.label()), route);
        domains
            .getOrDefault(first.project(), List.of())
            .forEach(domain -> routes.put(domain, route));
      }
    }
    return new RouteTable(version, routes);
  }

  private static Map<ProjectId, List<String>> domains(Handle tx) {
    return tx.createQuery(DOMAINS)
        .map((row, context) ->
            Map.entry(new ProjectId(row.getString("project")), row.getString("name")))
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
  }

  /** All that is kept of each project, what served last first. */
  private static Map<ProjectId, List<Site>> sites(Collection<List<Row>> deployments) {
    return deployments.stream()
        .map(List::getFirst)
        .filter(row -> row.site().isPresent())
        .sorted(Comparator.comparing(Row::servedAt).reversed())
        .collect(
            Collectors.groupingBy(
                Row::project,
                Collectors.mapping(row -> row.site().orElseThrow(), Collectors.toList())));
  }

  private static List<Site> withEarlier(Site site, List<Site> all) {
    return Stream.concat(Stream.of(site), all.stream()).distinct().toList();
  }

  private static Row row(ResultSet row) throws SQLException {
    ReleaseId release = new ReleaseId(row.getString("release"));
    int port = row.getInt("port");
    return new Row(
        new ProjectId(row.getString("project")),
        row.getString("label"),
        new DeploymentId(row.getString("deployment")),
        row.getString("preview_label"),
        row.getBoolean("serving"),
        row.getBoolean("previews"),
        Optional.ofNullable(row.getString("instance"))
            .map(id -> new Target(new InstanceId(id), "127.0.0.1", port)),
        Optional.ofNullable(row.getTimestamp("served_at"))
            .map(Timestamp::toInstant)
            .orElse(Instant.EPOCH),
        Optional.ofNullable(row.getString("site"))
            .map(json -> Site.of(release, (Serving.Site) ServingJson.read(json))));
  }

  private record Row(
      ProjectId project,
      String label,
      DeploymentId deployment,
      String previewLabel,
      boolean serving,
      boolean previews,
      Optional<Target> target,
      Instant servedAt,
      Optional<Site> site) {}
}
