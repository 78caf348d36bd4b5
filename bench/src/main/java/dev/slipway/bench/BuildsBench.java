package dev.slipway.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Deployments of small applications of each framework against the same commands typed by hand,
 * round by round, package caches warm on both sides. Ends all that it started.
 */
public final class BuildsBench {
  private static final int ROUNDS = 5;
  private static final int RELEASES = 10;

  private final BenchServer server;
  private final Api api;
  private final Path work;
  private final Path repositories;
  private final Path examples;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Results results = new Results(System.out);

  private BuildsBench(BenchServer server, Api api, Path work, Path repositories, Path examples) {
    this.server = server;
    this.api = api;
    this.work = work;
    this.repositories = repositories;
    this.examples = examples;
  }

  /**
   * @param arguments the directory of the program, and the frameworks to measure; all by default
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path home = Path.of(arguments[0]).toAbsolutePath().normalize();
    List<String> asked = Arrays.asList(arguments).subList(1, arguments.length);
    Path work = Files.createTempDirectory("slipway-bench");
    Path repositories = Files.createDirectories(work.resolve("repositories"));
    try (BenchServer server = new BenchServer(home, work, "data", repositories)) {
      server.start();
      try (Api api = server.api()) {
        for (BuiltApp app : BuiltApp.all()) {
          if (asked.isEmpty() || asked.contains(app.name())) {
            new BuildsBench(server, api, work, repositories, home.resolve("examples")).measure(app);
          }
        }
      }
    } finally {
      Trees.delete(work);
    }
  }

  private void measure(BuiltApp app) throws IOException, InterruptedException {
    AppRepository repository = new AppRepository(app, work, repositories, examples);
    RawBuild raw = new RawBuild(app, repository, work);
    repository.commit("warm-up");
    raw.firstDeployment("warm-up");
    disk(app, repository);
    Series[] ours = {new Series(), new Series(), new Series()};
    Series[] theirs = {new Series(), new Series(), new Series()};
    for (int round = 0; round < ROUNDS; round++) {
      String first = "first-" + round;
      repository.commitDependencies(first);
      theirs[0].add(raw.firstDeployment(first));
      Migrated migrated = migrated(app, repository, first, first);
      ours[0].add(migrated.took());

      String second = "second-" + round;
      repository.commit(second);
      theirs[1].add(raw.redeployment(first));
      ours[1].add(deployed(app, migrated, second, first));

      theirs[2].add(raw.rebuild(second));
      ours[2].add(deployed(app, migrated, second, second));
    }
    Series[] answers = answers(app, repository);
    results.head(app.name() + ", from the request to the first answer", "raw");
    results.ratio("first deployment", ours[0], theirs[0]);
    results.ratio("redeployment, same dependencies", ours[1], theirs[1]);
    results.ratio("same source, another variable", ours[2], theirs[2]);
    results.answers(app.name() + ", answers of the API", answers[0], answers[1]);
  }

  /** Of the API: while nothing is built, and while this application is. */
  private Series[] answers(BuiltApp app, AppRepository repository)
      throws IOException, InterruptedException {
    repository.commitDependencies("idle");
    Answers answers = new Answers(api, migrated(app, repository, "idle", "idle").id());
    repository.commitDependencies("busy");
    return new Series[] {
      answers.idle(), answers.during(() -> migrated(app, repository, "busy", "busy"))
    };
  }

  /** The first of all builds of this framework, and nine more that change one line each. */
  private void disk(BuiltApp app, AppRepository repository)
      throws IOException, InterruptedException {
    long none = releasesKilobytes();
    Migrated migrated = migrated(app, repository, "warm-up", "warm-up");
    long one = releasesKilobytes() - none;
    for (int i = 2; i <= RELEASES; i++) {
      repository.commit("release-" + i);
      deployed(app, migrated, "release-" + i, "warm-up");
    }
    results.disk(app.name(), RELEASES, one, releasesKilobytes() - none);
  }

  private long releasesKilobytes() throws IOException, InterruptedException {
    Path output = Files.createTempFile(work, "du", ".txt");
    Program.start(work, output.toFile(), Map.of(), List.of("du", "-sk", work + "/data/releases"))
        .waitFor();
    return Long.parseLong(Files.readString(output).split("\\s+", 2)[0]);
  }

  private record Migrated(String id, String project, URI url, Duration took) {}

  private Migrated migrated(BuiltApp app, AppRepository repository, String mark, String greeting)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Api.Migration asked = api.migrate(repository.name(), Map.of(app.variable(), greeting));
    JsonNode migration = api.migrated(asked.id());
    if (!migration.get("status").asText().equals("complete")) {
      throw new IllegalStateException("the migration failed: " + migration);
    }
    URI url = URI.create(migration.get("url").asText());
    awaitAnswer(url, mark, greeting);
    return new Migrated(
        asked.id(), asked.project(), url, Duration.ofNanos(System.nanoTime() - begin));
  }

  private Duration deployed(BuiltApp app, Migrated project, String mark, String greeting)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    JsonNode deployment =
        api.deployed(api.deploy(project.project(), Map.of(app.variable(), greeting)));
    if (!deployment.get("status").asText().equals("live")) {
      throw new IllegalStateException("the deployment did not go live: " + deployment);
    }
    awaitAnswer(project.url(), mark, greeting);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private void awaitAnswer(URI url, String mark, String greeting)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/"))
            .header("Host", url.getAuthority())
            .timeout(Duration.ofSeconds(30))
            .build();
    String body = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    if (!body.contains(mark) || !body.contains(greeting)) {
      throw new IllegalStateException("not the answer of the new release: " + body);
    }
  }
}
