package dev.slipway.build;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Limits;
import dev.slipway.core.ReleaseId;
import dev.slipway.framework.Frameworks;
import dev.slipway.framework.Overrides;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.RunLog;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHost;
import dev.slipway.source.SourceRef;
import dev.slipway.source.git.GitHost;
import dev.slipway.source.git.GitSource;
import dev.slipway.tool.OperatorSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A pipeline with real parts below one directory, and requests for it. */
record BuildPlace(
    Path dataDir, URI repositories, DeploymentId deployment, ReleaseId release, EnvVars env) {
  static final RepoName SHOP = new RepoName("acme/shop");
  static final Limits LIMITS = new Limits(1024, 1, 512);
  static final Duration TIMEOUT = Duration.ofMinutes(2);

  ReleaseStore releases() {
    return new ReleaseStore(dataDir.resolve("releases"), Clock.systemUTC());
  }

  Sandbox sandbox() {
    return Sandbox.strongest(dataDir);
  }

  SourceHost host() {
    return new GitSource(new GitHost("github", repositories, Optional.empty()), List.of());
  }

  BuildPipeline pipeline(Limits limits, Duration timeout) {
    return new BuildPipeline(
        dataDir,
        sandbox(),
        releases(),
        new Frameworks(),
        new BuildConfig(timeout, limits, 1 << 20),
        OperatorSettings.of(System.getenv(), Path.of(System.getProperty("user.home"))));
  }

  BuildRequest request(SourceHost host, BuildObserver observer) {
    return new BuildRequest(
        deployment,
        new AccountId("acc_ada"),
        host.at(new SourceRef(SHOP, "main", Optional.empty())),
        Overrides.NONE,
        env,
        release,
        observer);
  }

  RunLog log(KeptLog kept) {
    return kept.open(List.copyOf(env.values().values()));
  }
}
