package dev.slipway.bench;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A hundred deployments and rollbacks in turn, under every kind of visitor: what is lost, refused,
 * cut short or mixed up. Ends all that it started.
 */
public final class CutoverBench {
  private static final int CHANGES = 100;
  private static final int CONNECTIONS = 64;
  private static final int PER_SECOND = 500;
  private static final int OF_EACH_KIND = 8;

  /** Short, as each replaced program runs for so long. */
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private CutoverBench() {}

  /**
   * @param arguments the directory of the program
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path home = Path.of(arguments[0]).toAbsolutePath().normalize();
    Path work = Files.createTempDirectory("slipway-bench");
    Path repositories = Files.createDirectories(work.resolve("repositories"));
    Map<String, String> settings = Map.of("SLIPWAY_APPS_DRAIN", DRAIN.toSeconds() + "s");
    try (BenchServer server = new BenchServer(home, work, "data", repositories, settings)) {
      server.start();
      AppRepository repository =
          new AppRepository(StreamingApp.app(), work, repositories, home.resolve("examples"));
      repository.commit("app");
      try (Api api = server.api()) {
        run(server, Project.migrated(server, api, repository.name(), "first"));
      }
    } finally {
      Trees.delete(work);
    }
  }

  private static void run(BenchServer server, Project project)
      throws IOException, InterruptedException {
    int port = server.port();
    Load load = project.load(CONNECTIONS, PER_SECOND);
    Load comers = project.newcomers(OF_EACH_KIND, PER_SECOND / 10);
    SlowRequests slow = SlowRequests.start(port, project.host(), OF_EACH_KIND);
    LongStreams events = new LongStreams(port, project.host(), DRAIN);
    events.startEvents(OF_EACH_KIND);
    LongStreams sockets = new LongStreams(port, project.host(), DRAIN);
    sockets.startWebSockets(OF_EACH_KIND);
    Results results = new Results(System.out);
    Series deployments = new Series();
    Series rollbacks = new Series();
    String target = project.firstDeployment();
    for (int i = 0; i < CHANGES; i++) {
      load.expect("");
      boolean back = i % 2 == 1;
      String greeting = back ? "first" : "second-" + i;
      (back ? rollbacks : deployments)
          .add(back ? project.rollback(target, greeting).seen() : project.deploy(greeting).seen());
      load.expect(greeting);
    }
    results.head("%d changes of what serves".formatted(CHANGES), "");
    results.time("deployment", deployments);
    results.time("rollback", rollbacks);
    results.load("%d keep-alive connections".formatted(CONNECTIONS), load.end());
    results.load("%d that connect anew each time".formatted(OF_EACH_KIND), comers.end());
    results.slow("%d requests of two seconds".formatted(OF_EACH_KIND), slow.end());
    results.streams("%d event streams".formatted(OF_EACH_KIND), events.end());
    results.streams("%d WebSockets".formatted(OF_EACH_KIND), sockets.end());
  }
}
