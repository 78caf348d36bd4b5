package dev.slipway.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One migrated application, whose answers name the release that gave them. For one thread. */
final class Project {
  private static final long GAP = TimeUnit.MILLISECONDS.toNanos(4);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final BenchServer server;
  private final Api api;
  private final String id;
  private final String host;
  private final String firstDeployment;
  private final Duration migrationTook;

  private Project(
      BenchServer server,
      Api api,
      String id,
      String host,
      String firstDeployment,
      Duration migrationTook) {
    this.server = server;
    this.api = api;
    this.id = id;
    this.host = host;
    this.firstDeployment = firstDeployment;
    this.migrationTook = migrationTook;
  }

  /**
   * A change of what serves.
   *
   * @param live from the request to the status {@code live}, as polling sees it
   * @param seen from the request to the first answer of the new release
   */
  record Change(String deployment, Duration live, Duration seen) {}

  /** Migrates the sample application; its answers contain {@code greeting}. */
  static Project migrated(BenchServer server, Api api, String greeting)
      throws IOException, InterruptedException {
    return migrated(server, api, SampleApp.REPOSITORY, greeting);
  }

  /** The same of another one. */
  static Project migrated(BenchServer server, Api api, String repository, String greeting)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Api.Migration asked = api.migrate(repository, Map.of("GREETING", greeting));
    JsonNode migration = api.migrated(asked.id());
    if (!migration.get("status").asText().equals("complete")) {
      throw new IllegalStateException("the migration failed: " + migration);
    }
    String host = URI.create(migration.get("url").asText()).getAuthority();
    try (Http http = new Http(server.port(), TIMEOUT)) {
      requireGreeting(http.get(host, "/"), greeting);
    }
    return new Project(
        server,
        api,
        asked.project(),
        host,
        migration.get("deployment_id").asText(),
        Duration.ofNanos(System.nanoTime() - begin));
  }

  String firstDeployment() {
    return firstDeployment;
  }

  /** From the request to the first answer. */
  Duration migrationTook() {
    return migrationTook;
  }

  Change deploy(String greeting) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    return await(api.deploy(id, Map.of("GREETING", greeting)), greeting, begin);
  }

  /**
   * @param greeting of the deployment to roll back to
   */
  Change rollback(String target, String greeting) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    return await(api.rollback(target), greeting, begin);
  }

  String host() {
    return host;
  }

  Load load(int connections, int perSecond) {
    return Load.start(server.port(), host, connections, perSecond, true);
  }

  /** Visitors whose every request has a connection of its own. */
  Load newcomers(int count, int perSecond) {
    return Load.start(server.port(), host, count, perSecond, false);
  }

  private Change await(String deployment, String greeting, long begin)
      throws IOException, InterruptedException {
    long live = 0;
    long seen = 0;
    try (Http http = new Http(server.port(), TIMEOUT)) {
      while (live == 0 || seen == 0) {
        if (live == 0 && isLive(deployment)) {
          live = System.nanoTime();
        }
        if (seen == 0 && http.get(host, "/").body().contains(greeting)) {
          seen = System.nanoTime();
        }
        LockSupport.parkNanos(live == 0 || seen == 0 ? GAP : 0);
      }
    }
    return new Change(deployment, Duration.ofNanos(live - begin), Duration.ofNanos(seen - begin));
  }

  private boolean isLive(String deployment) throws IOException, InterruptedException {
    JsonNode now = api.deployment(deployment);
    if (now.get("status").asText().equals("failed")) {
      throw new IllegalStateException("the deployment failed: " + now);
    }
    return now.get("status").asText().equals("live");
  }

  private static void requireGreeting(Http.Answer answer, String greeting) {
    if (answer.status() != 200 || !answer.body().contains(greeting)) {
      throw new IllegalStateException("not the answer of the new release: " + answer);
    }
  }
}
