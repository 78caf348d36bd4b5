package dev.slipway.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Server;
import dev.slipway.config.ServerConfig;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code slipway quickstart}: a server with its defaults in a directory of its own, and an example
 * application from a git repository to its live address. It ends everything that it started.
 */
@Command(
    name = "quickstart",
    description =
        "Start a server, take an example application live and show where it is, until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class QuickstartCommand implements Callable<Integer> {
  private static final String REPOSITORY = "examples/node-express";
  private static final int POLL_MILLIS = 100;
  private static final int PORT = 8080;
  private static final String EMAIL = "owner@localhost";

  @Option(
      names = "--exit",
      description = "Check the address, stop everything, and end with status 0 or 1.")
  private boolean exit;

  private final long begun = System.nanoTime();

  /** What opens this server, for as long as it is there. */
  private record Access(String key, String password) {
    static Access made() {
      return new Access("quickstart-" + UUID.randomUUID(), UUID.randomUUID().toString());
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerLog.warningsOnly();
    Path home = Path.of(System.getProperty("slipway.home", "."));
    Path directory = home.resolve(".slipway").resolve("quickstart").toAbsolutePath().normalize();
    int port = FreePort.from(PORT);
    if (port != PORT) {
      System.out.printf("Port %d is taken; using %d.%n", PORT, port);
    }
    Access access = Access.made();
    ServerConfig config = config(directory, port, access);
    if (Files.exists(directory)) {
      // An earlier quickstart was killed: what it left running is adopted, to be ended.
      stop(ServerCommand.start(config, line -> {}), directory);
    }
    ExampleRepository.make(
        home.resolve("examples/node-express"),
        directory.resolve("repositories").resolve(REPOSITORY + ".git"));
    Server server = ServerCommand.start(config, line -> {});
    Runnable stop = stopOnce(server, directory);
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              stop.run();
              interrupted.countDown();
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try (ApiClient api = new ApiClient(port, access.key())) {
      say("The server is ready at http://localhost:" + port);
      boolean live = migrate(api, port, access);
      if (live && !exit) {
        interrupted.await();
      }
      stop.run();
      return live ? 0 : 1;
    }
  }

  /** Whoever calls it second waits for the first: the program must not end in between. */
  private static Runnable stopOnce(Server server, Path directory) {
    return new Runnable() {
      private boolean stopped;

      @Override
      public synchronized void run() {
        if (!stopped) {
          stopped = true;
          stop(server, directory);
        }
      }
    };
  }

  private static ServerConfig config(Path directory, int port, Access access) {
    Map<String, String> settings = new LinkedHashMap<>(System.getenv());
    settings.keySet().removeIf(name -> name.startsWith("SLIPWAY_"));
    settings.put("SLIPWAY_DATA_DIR", directory.resolve("data").toString());
    settings.put("SLIPWAY_HTTP_PORT", String.valueOf(port));
    settings.put("SLIPWAY_BOOTSTRAP_API_KEY", access.key());
    settings.put("SLIPWAY_BOOTSTRAP_EMAIL", EMAIL);
    settings.put("SLIPWAY_BOOTSTRAP_PASSWORD", access.password());
    // It polls more often than the first tier allows, and what is tried out should not be limited.
    settings.put("SLIPWAY_BOOTSTRAP_TIER", "quickstart");
    settings.put("SLIPWAY_TIERS", "{quickstart: {requests_per_minute: 100000}}");
    settings.put(
        "SLIPWAY_REPO_HOSTS",
        "[{kind: folder, url: \"%s\"}]"
            .formatted(directory.resolve("repositories").toUri().toString().replaceAll("/$", "")));
    return ServerConfig.load(Optional.empty(), settings);
  }

  /** Whether the example went live and answers. */
  private boolean migrate(ApiClient api, int port, Access access)
      throws IOException, InterruptedException {
    JsonNode created =
        api.post("/v1/migrations", Map.of("source", "folder", "repo", REPOSITORY)).get("data");
    String path = "/v1/migrations/" + created.get("id").asText();
    say("Migrating " + REPOSITORY + " as " + created.get("id").asText());
    JsonNode migration = follow(api, path);
    if (!migration.get("status").asText().equals("complete")) {
      say("It failed: " + migration.at("/error/message").asText());
      for (JsonNode entry : api.get(path + "/logs").at("/data/logs")) {
        System.out.println("    " + entry.get("message").asText());
      }
      return false;
    }
    URI address = URI.create(migration.get("url").asText());
    HttpResponse<String> answer = api.visit(address);
    say("It answers %d: %s".formatted(answer.statusCode(), answer.body().strip()));
    if (answer.statusCode() != 200) {
      return false;
    }
    if (!exit) {
      showNextSteps(address, port, access, migration);
    }
    return true;
  }

  /** Prints each state as it comes; returns the migration when it has ended. */
  private JsonNode follow(ApiClient api, String path) throws IOException, InterruptedException {
    String shown = "";
    while (true) {
      JsonNode migration = api.get(path).get("data");
      String deployment = migration.path("deployment_id").asText();
      String state =
          deployment.isEmpty()
              ? migration.get("status").asText()
              : api.get("/v1/deployments/" + deployment).at("/data/status").asText();
      if (!state.equals(shown)) {
        say(state);
        shown = state;
      }
      if (migration.has("completed_at")) {
        return migration;
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static void showNextSteps(URI address, int port, Access access, JsonNode migration) {
    String api = "http://localhost:%d/v1/deployments".formatted(port);
    System.out.printf(
        """

            Live:       %s
            Dashboard:  http://localhost:%d/dashboard
                        sign in as %s with %s

            Deploy it again:
              curl -X POST %s -H 'Authorization: Bearer %s' \\
                -H 'Content-Type: application/json' -d '{"project_id": "%s", "env_vars": {"GREETING": "Hello again"}}'
            Roll back to the first deployment:
              curl -X POST %s/%s/rollback -H 'Authorization: Bearer %s'

            Ctrl-C stops everything and leaves nothing behind.
        """,
        address,
        port,
        EMAIL,
        access.password(),
        api,
        access.key(),
        migration.get("project_id").asText(),
        api,
        migration.get("deployment_id").asText(),
        access.key());
  }

  private static void stop(Server server, Path directory) {
    server.closeWithApps();
    Trees.delete(directory);
  }

  private void say(String sentence) {
    System.out.printf("%6.1f s  %s%n", (System.nanoTime() - begun) / 1e9, sentence);
  }
}
