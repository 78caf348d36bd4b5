package dev.slipway.build;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Limits;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.Frameworks;
import dev.slipway.framework.Overrides;
import dev.slipway.release.Release;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.RunLog;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.source.Checkout;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHost;
import dev.slipway.source.SourceRef;
import dev.slipway.source.WideLimit;
import dev.slipway.source.git.GitHost;
import dev.slipway.source.git.GitRepository;
import dev.slipway.source.git.GitSource;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Provision;
import dev.slipway.tool.Toolbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A pipeline with real parts below one directory, and requests for it. */
record BuildPlace(
    Path dataDir, URI repositories, DeploymentId deployment, ReleaseId release, EnvVars env) {
  static final RepoName SHOP = new RepoName("acme/shop");
  static final Limits LIMITS = new Limits(1024, 1, 512);
  static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** A new directory that the users of builds can enter; to be deleted. */
  static Path directory(String prefix) throws IOException {
    return Files.setPosixFilePermissions(
        Files.createTempDirectory(prefix), PosixFilePermissions.fromString("rwx--x--x"));
  }

  /** The data and the repositories lie below a directory. */
  static BuildPlace below(Path directory, EnvVars env) {
    return new BuildPlace(
        directory.resolve("data"),
        directory.resolve("repositories").toUri(),
        DeploymentId.next(),
        ReleaseId.of(DeploymentId.next()),
        env);
  }

  /** For another deployment. */
  BuildPlace next() {
    DeploymentId next = DeploymentId.next();
    return new BuildPlace(dataDir, repositories, next, ReleaseId.of(next), env);
  }

  /** A shop with Express that needs no registry: a package of the repository itself. */
  GitRepository shop() {
    Path all = Path.of(repositories);
    GitRepository shop =
        GitRepository.create(all.resolve(SHOP + ".git"), all.resolveSibling("work"));
    shop.write("vendor/express/package.json", "{\"name\": \"express\", \"version\": \"1.0.0\"}");
    shop.write(
        "server.js",
        "require('express')().get('/', (_, res) => res.send('hello')).listen(process.env.PORT);\n");
    return shop;
  }

  ReleaseStore releases() {
    return new ReleaseStore(dataDir.resolve("releases"), Clock.systemUTC());
  }

  /** A file, directory or link of the release, not followed. */
  Optional<Path> released(String name) {
    return releases().trees(release).stream()
        .map(tree -> tree.resolve(name))
        .filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS))
        .findFirst();
  }

  Sandbox sandbox() {
    return Sandbox.strongest(dataDir);
  }

  SourceHost host() {
    return new GitSource(
        new GitHost("github", repositories, Optional.empty()), List.of(), WideLimit.below(dataDir));
  }

  BuildPipeline pipeline(Limits limits, Duration timeout) {
    return pipeline(new BuildConfig(timeout, limits, 1 << 30, 1 << 20, 1 << 30), operator());
  }

  /** One that needs no registry. */
  BuildPipeline pipeline(BuildConfig config) {
    return pipeline(config, OperatorSettings.NONE);
  }

  private BuildPipeline pipeline(BuildConfig config, OperatorSettings operator) {
    return new BuildPipeline(
        dataDir, sandbox(), releases(), new Frameworks(), config, operator, toolbox());
  }

  /** Whether a program of the host, outside of this JVM too, has this on its command line. */
  static boolean runs(String mark) {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(process -> process.getFileName().toString().matches("\\d+"))
          .anyMatch(process -> commandLine(process).contains(mark));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String commandLine(Path process) {
    try {
      return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8);
    } catch (IOException ended) {
      return "";
    }
  }

  Toolbox toolbox() {
    return new Toolbox(
        dataDir.resolve("tools"), sandbox(), operator(), home(), Set::of, Clock.systemUTC());
  }

  private static OperatorSettings operator() {
    return OperatorSettings.of(System.getenv(), home());
  }

  private static Path home() {
    return Path.of(System.getProperty("user.home"));
  }

  /** The release of a plan, made without fetching anything. */
  Release assembled(Sandbox sandbox, BuildPlan plan, Checkout checkout, KeptLog kept)
      throws InterruptedException {
    BuildConfig config = new BuildConfig(TIMEOUT, LIMITS, 1 << 30, 1 << 20, 1 << 30);
    DownloadCaches downloads = new DownloadCaches(dataDir.resolve("caches"), Clock.systemUTC());
    StepRunner.Tools tools =
        new StepRunner.Tools(sandbox, config, OperatorSettings.NONE, downloads);
    BuildRequest request = request(host(), new SeenSteps());
    ReleaseStore releases = releases();
    FrameworkCaches frameworks =
        new FrameworkCaches(dataDir.resolve("framework-caches"), Clock.systemUTC());
    BuildCaches caches =
        new BuildCaches(
            releases.layers(), frameworks, downloads, toolbox(), config, () -> Long.MAX_VALUE);
    DependencyKey key =
        DependencyKey.of(
            request.owner(),
            plan.install().orElseThrow(),
            checkout.root(),
            List.of(),
            env.values(),
            OperatorSettings.NONE);
    try (Workspace workspace =
            new Workspace(dataDir.resolve("builds").resolve(deployment.value()), sandbox);
        BuildNetwork network = new BuildNetwork(sandbox, OperatorSettings.NONE, List.of());
        TimeLimit limit = new TimeLimit(TIMEOUT)) {
      RunLog log = log(kept);
      Timeline timeline = new Timeline(request.observer(), log, config, limit);
      downloads.take(request.owner(), workspace.downloads());
      StepRunner runner =
          new StepRunner(tools, Provision.NOTHING, network, workspace, request, log);
      return new Assembly(new Packer(releases), caches, workspace, request, runner, timeline, log)
          .run(plan, checkout, Optional.of(key))
          .release();
    }
  }

  BuildRequest request(SourceHost host, BuildObserver observer) {
    return new BuildRequest(
        deployment,
        new CacheOwner("acc_ada"),
        new ProjectId("prj_shop"),
        host.at(new SourceRef(SHOP, "main", Optional.empty())),
        Overrides.NONE,
        env,
        ManagedVariables.NONE,
        release,
        KeptReleases.NONE,
        observer);
  }

  RunLog log(KeptLog kept) {
    return kept.open(List.copyOf(env.values().values()));
  }
}
