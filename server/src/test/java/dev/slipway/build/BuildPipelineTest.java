package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.AppFailure;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Limits;
import dev.slipway.core.Serving;
import dev.slipway.framework.Overrides;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.Checkout;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHost;
import dev.slipway.source.SourceRef;
import dev.slipway.source.git.GitRepository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real builds with git, npm and the sandbox; all but one need no registry. */
class BuildPipelineTest {
  /** On the command line of a program, to find it among those of the host. */
  private final String mark = "mark-" + UUID.randomUUID();

  private final KeptLog log = new KeptLog();
  private final SeenSteps observer = new SeenSteps();
  private Path directory;
  private GitRepository shop;
  private BuildPlace place;

  @BeforeEach
  void createRepository() throws IOException {
    directory = BuildPlace.directory("build-test-");
    place = BuildPlace.below(directory, new EnvVars(Map.of("API_KEY", "s3cret-of-the-shop")));
    shop = place.shop();
  }

  @AfterEach
  void delete() {
    place.sandbox().endLeftovers(buildDirectory().resolve("runs"), Set.of());
    Trees.delete(directory);
  }

  @Test
  void anExpressApplicationFromTheRegistryBecomesARelease() throws Exception {
    shop.write(
        "package.json",
        """
        {"name": "shop", "dependencies": {"express": "^4.21.0"}, "scripts": {"start": "node server.js"}}
        """);
    String sha = shop.commit("main", "Open the shop");

    BuiltRelease built = run();

    assertThat(built.commit().sha()).isEqualTo(sha);
    assertThat(built.serving())
        .isEqualTo(
            new Serving.Program(
                "",
                List.of(List.of("node", "server.js")),
                Map.of("NODE_ENV", "production"),
                List.of("node_modules/.bin"),
                Optional.empty()));
    assertThat(place.released("node_modules/express/package.json")).isPresent();
    assertThat(observer.seen())
        .containsExactly(
            "fetch started",
            "commit Open the shop",
            "fetch ok",
            "plan started",
            "framework node-express",
            "plan ok",
            "tools started",
            "tools ok",
            "install started",
            "install ok",
            "pack started",
            "pack ok");
    assertThat(buildDirectory()).doesNotExist();
    assertThat(directory.resolve("data/caches/acc_ada/downloads/npm/_cacache")).isDirectory();
  }

  @Test
  void developmentDependenciesAreThereForTheBuild() throws Exception {
    shop.write("vendor/tool/package.json", "{\"name\": \"tool\", \"version\": \"1.0.0\"}");
    shop.write("vendor/tool/index.js", "exports.built = 'by the tool';");
    shop.write(
        "build.js",
        """
        require('fs').writeFileSync('built.txt', require('tool').built + ' with ' + process.env.API_KEY);
        console.log('the key is ' + process.env.API_KEY);
        """);
    manifest(
        "\"devDependencies\": {\"tool\": \"file:./vendor/tool\"}, ",
        "\"build\": \"node build.js\"");

    run();

    assertThat(place.released("built.txt").orElseThrow())
        .hasContent("by the tool with s3cret-of-the-shop");
    assertThat(place.released("node_modules/express")).isPresent();
    assertThat(log.messages()).contains("the key is [masked]");
    assertThat(String.join("\n", log.messages())).doesNotContain("s3cret");
  }

  @Test
  void variablesInABuildCommandAreFilledInWithoutAShell() throws Exception {
    shop.write(
        "build.js", "require('fs').writeFileSync('built.txt', process.argv.slice(2).join('|'));");
    manifest("", "\"start\": \"node server.js\"");
    BuildRequest plain = place.request(place.host(), observer);
    Overrides overrides =
        new Overrides(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(
                "KIND=of-$API_KEY node build.js ${KIND} \"$API_KEY;id\" ${NONE:-else} '$KIND'"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    BuildRequest request =
        new BuildRequest(
            plain.id(),
            plain.owner(),
            plain.project(),
            plain.source(),
            overrides,
            plain.env(),
            plain.managed(),
            plain.releaseId(),
            plain.kept(),
            observer);

    place.pipeline(BuildPlace.LIMITS, BuildPlace.TIMEOUT).run(request, place.log(log));

    assertThat(place.released("built.txt").orElseThrow())
        .hasContent("of-s3cret-of-the-shop|s3cret-of-the-shop;id|else|$KIND");
  }

  @Test
  void aLockfileOutOfStepIsWorkedAroundWithAWarning() throws Exception {
    shop.write(
        "package-lock.json",
        "{\"name\": \"shop\", \"lockfileVersion\": 3, \"packages\": {\"\": {\"name\": \"shop\"}}}");
    manifest("", "\"start\": \"node server.js\"");

    run();

    assertThat(place.released("node_modules/express")).isPresent();
    assertThat(log.messages())
        .anyMatch(message -> message.contains("package-lock.json does not match package.json"));
  }

  @Test
  void aFailingBuildSaysWhyAndLeavesNothing() {
    shop.write("build.js", "throw new Error('no such template');");
    manifest("", "\"build\": \"node build.js\"");

    Failure failure = failure(BuildPlace.LIMITS, BuildPlace.TIMEOUT);

    assertThat(failure.code()).isEqualTo(FailureCode.BUILD_FAILED);
    assertThat(failure.message())
        .contains("npm run build")
        .contains("exit status 1")
        .contains("Error: no such template");
    assertThat(observer.seen()).endsWith("build started", "build failed");
    assertThat(buildDirectory()).doesNotExist();
    assertThat(place.releases().exists(place.release())).isFalse();
  }

  @Test
  void aFailingInstallQuotesNpm() {
    manifest(
        "\"devDependencies\": {\"lost\": \"file:./vendor/lost.tgz\"}, ",
        "\"build\": \"node build.js\"");

    Failure failure = failure(BuildPlace.LIMITS, BuildPlace.TIMEOUT);

    assertThat(failure.code()).isEqualTo(FailureCode.INSTALL_FAILED);
    assertThat(failure.message())
        .contains("npm install --include=dev ended with exit status")
        .contains("ENOENT")
        .contains("lost.tgz");
  }

  @Test
  void aBuildThatNeedsTooMuchMemoryNamesTheLimit() {
    assumeTrue(place.sandbox().memoryLimit(), "this host bounds no memory");
    shop.write("build.js", "const all = []; for (;;) all.push(Buffer.alloc(16 << 20, 1));");
    manifest("", "\"build\": \"node build.js\"");

    Failure failure = failure(new Limits(256, 1, 512), BuildPlace.TIMEOUT);

    assertThat(failure.code()).isEqualTo(FailureCode.OUT_OF_MEMORY);
    assertThat(failure.message()).contains("256 MiB").contains("build.memory_mb");
  }

  @Test
  void aBuildThatTakesTooLongIsStoppedAndNamesTheStep() {
    endless();

    Failure failure = failure(BuildPlace.LIMITS, Duration.ofSeconds(15));

    assertThat(failure.code()).isEqualTo(FailureCode.STEP_TIMEOUT);
    assertThat(failure.message()).contains("15 s (build.timeout)").contains("step build");
    assertThat(BuildPlace.runs(mark)).isFalse();
    assertThat(buildDirectory()).doesNotExist();
  }

  @Test
  void interruptingEndsEverythingAndLeavesNothing() throws Exception {
    endless();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread build =
        Thread.ofPlatform()
            .start(() ->
                thrown.complete(
                    catchThrowableOfType(
                        Throwable.class, () -> run(BuildPlace.LIMITS, BuildPlace.TIMEOUT))));
    waitUntil(() -> log.messages().contains("begun") || thrown.isDone());
    assertThat(BuildPlace.runs(mark)).isTrue();

    build.interrupt();

    assertThat(thrown.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(BuildPlace.runs(mark)).isFalse();
    assertThat(buildDirectory()).doesNotExist();
    assertThat(observer.seen()).endsWith("build started", "build failed");
  }

  @Test
  void afterAKillTheNextRunEndsWhatIsLeftAndUsesTheCheckout() throws Exception {
    endless();
    Process server = buildInAnotherJvm();
    try {
      waitUntil(() -> BuildPlace.runs(mark) || !server.isAlive());
      assertThat(server.isAlive()).isTrue();
    } finally {
      server.destroyForcibly().waitFor();
    }
    // The same commit, but its build ends now: what it waits for is in the environment.
    BuildPlace again =
        new BuildPlace(
            place.dataDir(),
            place.repositories(),
            place.deployment(),
            place.release(),
            new EnvVars(Map.of("END", "1")));

    BuiltRelease built =
        again
            .pipeline(BuildPlace.LIMITS, BuildPlace.TIMEOUT)
            .run(again.request(resolvingOnly(), observer), again.log(log));

    assertThat(built.commit().message()).isEqualTo("Shop");
    assertThat(BuildPlace.runs(mark)).isFalse();
    assertThat(buildDirectory()).doesNotExist();
  }

  @Test
  void recoveringEndsAndDeletesOnlyWhatIsNotUnfinished() throws Exception {
    endless();
    Process server = buildInAnotherJvm();
    try {
      waitUntil(() -> BuildPlace.runs(mark) || !server.isAlive());
    } finally {
      server.destroyForcibly().waitFor();
    }
    BuildPipeline pipeline = place.pipeline(BuildPlace.LIMITS, BuildPlace.TIMEOUT);

    pipeline.recover(Set.of(place.deployment()));
    assertThat(buildDirectory()).exists();

    pipeline.recover(Set.of());
    assertThat(buildDirectory()).doesNotExist();
    assertThat(BuildPlace.runs(mark)).isFalse();
  }

  @Test
  void aDiskThatIsAlmostFullRefusesTheBuild() {
    BuildPipeline pipeline =
        place.pipeline(
            new BuildConfig(
                BuildPlace.TIMEOUT, BuildPlace.LIMITS, 1 << 30, Long.MAX_VALUE, 1 << 30));

    AppFailure failure =
        catchThrowableOfType(
            AppFailure.class,
            () -> pipeline.run(place.request(place.host(), observer), place.log(log)));

    assertThat(failure.failure().code()).isEqualTo(FailureCode.DISK_FULL);
    assertThat(observer.seen()).isEmpty();
  }

  /**
   * An application whose build begins and does not end unless END is set: it ignores signals and
   * has a child in a session of its own.
   */
  private void endless() {
    shop.write(
        "build.js",
        """
        process.on('SIGTERM', () => {});
        if (!process.env.END) {
          const hidden = {detached: true, stdio: 'ignore', argv0: 'sleep-' + process.argv[2]};
          require('child_process').spawn('sleep', ['600'], hidden);
          setInterval(() => {}, 1000);
        }
        console.log('begun');
        """);
    manifest("", "\"build\": \"node build.js " + mark + "\"");
  }

  private void manifest(String more, String scripts) {
    shop.write(
        "package.json",
        "{\"name\": \"shop\", %s\"dependencies\": {\"express\": \"file:./vendor/express\"}, \"scripts\": {%s}}"
            .formatted(more, scripts));
    shop.commit("main", "Shop");
  }

  private BuiltRelease run() throws InterruptedException {
    return run(BuildPlace.LIMITS, BuildPlace.TIMEOUT);
  }

  private BuiltRelease run(Limits limits, Duration timeout) throws InterruptedException {
    return place
        .pipeline(limits, timeout)
        .run(place.request(place.host(), observer), place.log(log));
  }

  private Failure failure(Limits limits, Duration timeout) {
    AppFailure failure = catchThrowableOfType(AppFailure.class, () -> run(limits, timeout));
    assertThat(failure).isNotNull();
    return failure.failure();
  }

  private Path buildDirectory() {
    return place.dataDir().resolve("builds").resolve(place.deployment().value());
  }

  private SourceHost resolvingOnly() {
    SourceHost real = place.host();
    return new SourceHost() {
      @Override
      public String kind() {
        return real.kind();
      }

      @Override
      public String resolve(SourceRef ref) {
        return real.resolve(ref);
      }

      @Override
      public List<String> branches(RepoName repo) {
        return real.branches(repo);
      }

      @Override
      public Checkout fetch(SourceRef ref, String sha, Path target) {
        throw new AssertionError("fetched again");
      }
    };
  }

  private Process buildInAnotherJvm() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            BuildServer.class.getName(),
            place.dataDir().toString(),
            place.repositories().toString(),
            place.deployment().value(),
            place.release().value())
        .redirectErrorStream(true)
        .redirectOutput(new File("/dev/null"))
        .start();
  }

  private static void waitUntil(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
