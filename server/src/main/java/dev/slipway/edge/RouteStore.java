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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
             p.live_deployment_id = d.id AS serving, p.previews <> 'OFF' AS previews,
             p.preview_of IS NOT NULL AS of_pull_request, i.id AS instance, i.port,
             r.id AS release, r.served_at,
             CASE WHEN r.serving::json->>'kind' = 'site' OR r.serving::json->>'assets' IS NOT NULL
                  THEN r.serving END AS files
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
  private final Duration keepAssets;

  /**
   * @param keepAssets how long files of a release are looked for after it has been replaced
   */
  public RouteStore(Addresses addresses, Duration keepAssets) {
    this.addresses = addresses;
    this.keepAssets = keepAssets;
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
    Map<ProjectId, List<String>> domains = domains(tx);
    Map<ProjectId, List<Row>> served = served(byDeployment.values());
    Map<String, Route> routes = new HashMap<>();
    for (List<Row> rows : byDeployment.values()) {
      Row first = rows.getFirst();
      List<Target> targets = rows.stream().flatMap(row -> row.target().stream()).toList();
      if (first.previews()) {
        routes.put(
            addresses.hostOfApp(first.previewLabel()),
            new Route(first.project(), first.deployment(), true, targets, first.site(), List.of()));
      }
      if (first.serving()) {
        Route route =
            new Route(
                first.project(),
                first.deployment(),
                first.ofPullRequest(),
                targets,
                first.site(),
                earlier(first, served.getOrDefault(first.project(), List.of())));
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

  /** All releases that are kept of each project, what served last first. */
  private static Map<ProjectId, List<Row>> served(Collection<List<Row>> deployments) {
    Set<ReleaseId> seen = new HashSet<>();
    return deployments.stream()
        .map(List::getFirst)
        .filter(row -> seen.add(row.release()))
        .sorted(Comparator.comparing(Row::servedAt).reversed())
        .collect(Collectors.groupingBy(Row::project));
  }

  /**
   * @param served those of the project; each was replaced by the one before it in the list
   */
  private List<Route.Earlier> earlier(Row serving, List<Row> served) {
    List<Route.Earlier> earlier = new ArrayList<>();
    for (int i = 1; i < served.size(); i++) {
      Instant until = served.get(i - 1).servedAt().plus(keepAssets);
      Row row = served.get(i);
      if (!row.release().equals(serving.release())) {
        row.assets().ifPresent(files -> earlier.add(new Route.Earlier(files, until)));
      }
    }
    return earlier;
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
        row.getBoolean("of_pull_request"),
        Optional.ofNullable(row.getString("instance"))
            .map(id -> new Target(new InstanceId(id), "127.0.0.1", port)),
        Optional.ofNullable(row.getTimestamp("served_at"))
            .map(Timestamp::toInstant)
            .orElse(Instant.EPOCH),
        release,
        Optional.ofNullable(row.getString("files")).map(ServingJson::read));
  }

  private record Row(
      ProjectId project,
      String label,
      DeploymentId deployment,
      String previewLabel,
      boolean serving,
      boolean previews,
      boolean ofPullRequest,
      Optional<Target> target,
      Instant servedAt,
      ReleaseId release,
      Optional<Serving> files) {

    Optional<Site> site() {
      return files.filter(Serving.Site.class::isInstance).flatMap(_ -> assets());
    }

    /** What is looked for when another release serves. */
    Optional<Site> assets() {
      return files.flatMap(serving ->
          switch (serving) {
            case Serving.Site site -> Optional.of(Site.of(release, site));
            case Serving.Program program -> program.assets().map(it -> Site.of(release, it));
          });
    }
  }
}
