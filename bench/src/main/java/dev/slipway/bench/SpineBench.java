package dev.slipway.bench;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The figures that Slipway is judged by: deployments, rollbacks and restarts against the raw
 * commands, round by round, and requests lost while releases change. Ends all that it started.
 */
public final class SpineBench {
  private static final int DEPLOYMENTS = 5;
  private static final int REDEPLOYMENTS = 7;
  private static final int ROLLBACKS = 15;
  private static final int STARTS = 5;
  private static final int FIRST_STARTS = 2;
  private static final int CHANGES_UNDER_LOAD = 10;
  private static final int CONNECTIONS = 64;
  private static final int STEADY_PER_SECOND = 100;

  private final Path home;
  private final Path work;
  private final Results results = new Results(System.out);

  private SpineBench(Path home, Path work) {
    this.home = home;
    this.work = work;
  }

  /**
   * @param arguments the directory of the program
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("slipway-bench");
    try {
      new SpineBench(Path.of(arguments[0]).toAbsolutePath().normalize(), work).run();
    } finally {
      Trees.delete(work);
    }
  }

  private void run() throws IOException, InterruptedException {
    SampleApp app = SampleApp.make(home.resolve("examples/node-express"), work);
    RawCommands raw = new RawCommands(app, work);
    firstStarts(app);
    try (BenchServer server = new BenchServer(home, work, "data", app)) {
      server.start();
      try (Api api = server.api()) {
        deployments(server, api, raw);
        Project project = Project.migrated(server, api, "first");
        redeployments(project, raw);
        rollbacks(project, raw);
        results.head("releases changed under %d connections".formatted(CONNECTIONS), "");
        underLoad(project, "at full load", Load.UNPACED);
        underLoad(project, "at %d requests/s".formatted(STEADY_PER_SECOND), STEADY_PER_SECOND);
      }
      restarts(server);
    }
  }

  private void firstStarts(SampleApp app) throws IOException, InterruptedException {
    Series times = new Series();
    for (int i = 0; i < FIRST_STARTS; i++) {
      try (BenchServer server = new BenchServer(home, work, "first-" + i, app)) {
        times.add(server.start());
      }
    }
    results.head("start to the first answer", "");
    results.time("first start ever", times);
  }

  private void deployments(BenchServer server, Api api, RawCommands raw)
      throws IOException, InterruptedException {
    Series ours = new Series();
    Series theirs = new Series();
    Project.migrated(server, api, "warm-up");
    for (int i = 0; i < DEPLOYMENTS; i++) {
      theirs.add(raw.firstDeployment());
      ours.add(Project.migrated(server, api, "migration-" + i).migrationTook());
    }
    results.head("from the request to the first answer", "raw");
    results.ratio("migration / clone, npm ci, start", ours, theirs);
  }

  private void redeployments(Project project, RawCommands raw)
      throws IOException, InterruptedException {
    Series ours = new Series();
    Series theirs = new Series();
    for (int i = 0; i < REDEPLOYMENTS; i++) {
      theirs.add(raw.redeployment());
      ours.add(project.deploy("redeployment-" + i).seen());
    }
    results.ratio("redeployment / clone, start", ours, theirs);
  }

  private void rollbacks(Project project, RawCommands raw)
      throws IOException, InterruptedException {
    String[] greetings = {"first", "second"};
    String[] targets = {project.firstDeployment(), project.deploy(greetings[1]).deployment()};
    Series live = new Series();
    Series seen = new Series();
    Series theirs = new Series();
    for (int i = 0; i < ROLLBACKS; i++) {
      theirs.add(raw.start());
      Project.Change change = project.rollback(targets[i % 2], greetings[i % 2]);
      live.add(change.live());
      seen.add(change.seen());
    }
    results.ratio("rollback, to the status live / start", live, theirs);
    results.ratio("rollback, to the new answer / start", seen, theirs);
  }

  private void underLoad(Project project, String what, int perSecond)
      throws IOException, InterruptedException {
    Load load = project.load(CONNECTIONS, perSecond);
    Series redeployments = new Series();
    Series rollbacks = new Series();
    try {
      String before = "before";
      String target = project.deploy(before).deployment();
      for (int i = 0; i < CHANGES_UNDER_LOAD; i++) {
        String greeting = "under-load-" + i;
        load.expect("");
        redeployments.add(project.deploy(greeting).seen());
        load.expect(greeting);
        load.expect("");
        rollbacks.add(project.rollback(target, before).seen());
        load.expect(before);
      }
    } finally {
      results.load(what, load.end());
    }
    results.time("  redeployment", redeployments);
    results.time("  rollback", rollbacks);
  }

  /** With the applications that the other measurements have left running. */
  private void restarts(BenchServer server) {
    Series cached = new Series();
    Series plain = new Series();
    for (int i = 0; i < STARTS; i++) {
      server.stop();
      cached.add(server.start());
      server.stop();
      plain.add(server.start("-XX:AOTMode=off"));
    }
    results.head("restart to the first answer, apps running", "no AOT");
    results.ratio("with the AOT cache / without it", cached, plain);
  }
}
