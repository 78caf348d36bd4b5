package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.Frameworks;
import dev.slipway.release.Release;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.RunLog;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.source.Checkout;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Provision;
import dev.slipway.tool.Toolbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds a commit into a release. Thread-safe: builds of different deployments may run at once.
 *
 * <p>Everything is below the data directory: {@code builds/<deployment>} while a build runs, {@code
 * caches/<account>} and {@code framework-caches/<project>} for longer. Dependencies are kept as
 * layers of the release store.
 */
public final class BuildPipeline {
  private final Path builds;
  private final ReleaseStore releases;
  private final Packer packer;
  private final Frameworks frameworks;
  private final BuildConfig config;
  private final Toolbox toolbox;
  private final StepRunner.Tools tools;
  private final BuildCaches caches;

  /**
   * @param dataDir on one file system with the release store
   */
  public BuildPipeline(
      Path dataDir,
      Sandbox sandbox,
      ReleaseStore releases,
      Frameworks frameworks,
      BuildConfig config,
      OperatorSettings operator,
      Toolbox toolbox) {
    this.builds = dataDir.resolve("builds");
    this.releases = releases;
    this.packer = new Packer(releases);
    this.frameworks = frameworks;
    this.config = config;
    this.toolbox = toolbox;
    DownloadCaches downloads = new DownloadCaches(dataDir.resolve("caches"), Clock.systemUTC());
    this.tools = new StepRunner.Tools(sandbox, config, operator, downloads);
    FrameworkCaches ofFrameworks =
        new FrameworkCaches(dataDir.resolve("framework-caches"), Clock.systemUTC());
    this.caches =
        new BuildCaches(
            releases.layers(), ofFrameworks, downloads, toolbox, config, this::freeBytes);
    try {
      Files.createDirectories(builds);
    } catch (IOException e) {
      throw new UncheckedIOException("the builds in " + builds + " cannot be opened", e);
    }
  }

  /**
   * Makes room for a build, or for what does a part of one.
   *
   * @throws AppFailure {@code DISK_FULL}
   */
  public void requireRoom() {
    caches.requireRoom();
  }

  /**
   * Blocks until the release is packed, for minutes. Called again after this server was killed, it
   * ends what the first call left running, uses a checkout that it completed, and redoes the rest.
   *
   * @throws AppFailure if the application cannot be built; its sentence may quote output of the
   *     application, which the caller masks
   * @throws InterruptedException if this thread is interrupted; nothing runs or is left then
   */
  public BuiltRelease run(BuildRequest request, RunLog log) throws InterruptedException {
    caches.requireRoom();
    releases.delete(request.releaseId());
    try (Workspace workspace = new Workspace(directory(request.id()), tools.sandbox());
        TimeLimit limit = new TimeLimit(config.timeout())) {
      return buildOnDisk(request, log, workspace, limit);
    } finally {
      log.flush();
    }
  }

  /** Deletes of what is kept for later builds what is too much; takes a second, or many. */
  public void trimCaches() {
    caches.trim();
  }

  /** Ends and deletes what builds left of a deployment that will never be built. */
  public void discard(DeploymentId id, ReleaseId release) {
    new Workspace(directory(id), tools.sandbox()).close();
    releases.delete(release);
  }

  /** Ends and deletes what builds of deployments other than these left; for the server's start. */
  public void recover(Set<DeploymentId> unfinished) {
    try (Stream<Path> directories = Files.list(builds)) {
      directories
          .filter(path -> !unfinished.contains(new DeploymentId(path.getFileName().toString())))
          .forEach(path -> new Workspace(path, tools.sandbox()).close());
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + builds + " failed", e);
    }
  }

  private BuiltRelease buildOnDisk(
      BuildRequest request, RunLog log, Workspace workspace, TimeLimit limit)
      throws InterruptedException {
    try {
      return build(request, log, workspace, limit);
    } catch (AppFailure | UncheckedIOException e) {
      throw FullDisk.behind(e, freeBytes(), config.reserveBytes())
          .<RuntimeException>map(it -> it)
          .orElse(e);
    }
  }

  private BuiltRelease build(BuildRequest request, RunLog log, Workspace workspace, TimeLimit limit)
      throws InterruptedException {
    BuildObserver observer = request.observer();
    Timeline timeline = new Timeline(observer, log, config, limit);
    Fetched fetched = timeline.step("fetch", () -> fetch(request, workspace));
    if (fetched.kept().isPresent()) {
      BuiltRelease kept = fetched.kept().get();
      log.info("Commit %s: %s".formatted(kept.commit().sha(), kept.commit().message()));
      log.info(
          "It was built before, and nothing that decides its build has changed: the release of then is"
              + " used.");
      return kept;
    }
    Checkout checkout = fetched.checkout().orElseThrow();
    log.info("Commit %s: %s".formatted(checkout.commit().sha(), checkout.commit().message()));
    checkout.notes().forEach(log::warning);
    BuildPlan plan =
        timeline.step(
            "plan",
            () -> {
              BuildPlan made =
                  frameworks.plan(
                      checkout, request.overrides(), request.variables().values().keySet());
              observer.detected(made.framework());
              return made;
            });
    log.info("The application is built as " + plan.framework() + ".");
    plan.findings().forEach(finding -> tell(finding, log));
    Provision provision = provide(plan, timeline, log);
    Packer.Packed packed;
    tools.caches().take(request.owner(), workspace.downloads());
    try (Toolbox.Hold _ = toolbox.hold(provision);
        BuildNetwork network =
            new BuildNetwork(tools.sandbox(), tools.operator(), request.managed().places())) {
      StepRunner runner = new StepRunner(tools, provision, network, workspace, request, log);
      packed =
          new Assembly(packer, caches, workspace, request, runner, timeline, log)
              .run(plan, checkout, key(request, plan, provision, checkout));
    } finally {
      tools.caches().giveBack(request.owner(), workspace.downloads());
    }
    Release release = packed.release();
    log.info("The release has %,d files, %,d bytes.".formatted(release.files(), release.bytes()));
    return new BuiltRelease(
        release,
        checkout.commit(),
        plan.framework(),
        packed.serving(),
        ProgramTools.of(provision, packed.serving()),
        // What is missing of the source may be there the next time.
        checkout.notes().isEmpty() ? Optional.of(fetched.keys().of(plan)) : Optional.empty(),
        false);
  }

  private Provision provide(BuildPlan plan, Timeline timeline, RunLog log)
      throws InterruptedException {
    if (plan.tools().isEmpty()) {
      return Provision.NOTHING;
    }
    Provision provision = timeline.step("tools", () -> toolbox.provide(plan.tools()));
    provision.warnings().forEach(log::warning);
    log.info("Tools: " + String.join(", ", provision.ids()) + ".");
    return provision;
  }

  /**
   * @param kept a release that makes the rest of the build needless
   * @param checkout otherwise
   */
  private record Fetched(
      BuildKeys keys, Optional<BuiltRelease> kept, Optional<Checkout> checkout) {}

  private Fetched fetch(BuildRequest request, Workspace workspace) {
    String sha = request.source().resolve();
    BuildKeys keys = BuildKeys.of(request, sha, tools.operator());
    Optional<BuiltRelease> kept =
        request.kept().find(keys.all()).filter(found -> releases.exists(found.release().id()));
    if (kept.isPresent()) {
      request.observer().resolved(kept.get().commit());
      request.observer().detected(kept.get().framework());
      return new Fetched(keys, kept, Optional.empty());
    }
    Checkout checkout = workspace.source(sha, directory -> request.source().fetch(sha, directory));
    request.observer().resolved(checkout.commit());
    return new Fetched(keys, kept, Optional.of(checkout));
  }

  private Optional<DependencyKey> key(
      BuildRequest request, BuildPlan plan, Provision provision, Checkout checkout) {
    return plan.install()
        .map(install ->
            DependencyKey.of(
                request.owner(),
                install,
                checkout.root(),
                provision.ids(),
                request.env().values(),
                tools.operator()));
  }

  private static void tell(BuildPlan.Finding finding, RunLog log) {
    if (finding.warning()) {
      log.warning(finding.sentence());
    } else {
      log.info(finding.sentence());
    }
  }

  private long freeBytes() {
    try {
      return Files.getFileStore(builds).getUsableSpace();
    } catch (IOException e) {
      throw new UncheckedIOException("asking for free space of " + builds + " failed", e);
    }
  }

  private Path directory(DeploymentId id) {
    return builds.resolve(id.value());
  }
}
