package dev.slipway.build;

import dev.slipway.core.AccountId;
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
import dev.slipway.source.git.GitSource;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Provision;
import dev.slipway.tool.Toolbox;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A pipeline with real parts below one directory, and requests for it. */
record BuildPlace(
    Path dataDir, URI repositories, DeploymentId deployment, ReleaseId release, EnvVars env) {
  static final RepoName SHOP = new RepoName("acme/shop");
  static final Limits LIMITS = new Limits(1024, 1, 512);
  static final Duration TIMEOUT = Duration.ofMinutes(2);

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
    return new BuildPipeline(
        dataDir,
        sandbox(),
        releases(),
        new Frameworks(),
        new BuildConfig(timeout, limits, 1 << 30, 1 << 20, 1 << 30),
        operator(),
        toolbox());
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
            request.account(),
            plan.install().orElseThrow(),
            checkout.root(),
            List.of(),
            env.values(),
            OperatorSettings.NONE);
    try (Workspace workspace =
            new Workspace(dataDir.resolve("builds").resolve(deployment.value()), sandbox);
        BuildNetwork network = new BuildNetwork(sandbox, OperatorSettings.NONE);
        TimeLimit limit = new TimeLimit(TIMEOUT)) {
      RunLog log = log(kept);
      Timeline timeline = new Timeline(request.observer(), log, config, limit);
      downloads.take(request.account(), workspace.downloads());
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
        new AccountId("acc_ada"),
        new ProjectId("prj_shop"),
        host.at(new SourceRef(SHOP, "main", Optional.empty())),
        Overrides.NONE,
        env,
        release,
        KeptReleases.NONE,
        observer);
  }

  RunLog log(KeptLog kept) {
    return kept.open(List.copyOf(env.values().values()));
  }
}
