package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ReleaseId;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.Frameworks;
import dev.slipway.release.Release;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.RunLog;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.source.Checkout;
import dev.slipway.tool.OperatorSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds a commit into a release. Thread-safe: builds of different deployments may run at once.
 *
 * <p>Everything is below the data directory: {@code builds/<deployment>} while a build runs, {@code
 * caches/<account>} for longer.
 */
public final class BuildPipeline {
  private final Path builds;
  private final ReleaseStore releases;
  private final Packer packer;
  private final Frameworks frameworks;
  private final BuildConfig config;
  private final StepRunner.Tools tools;

  /**
   * @param dataDir on one file system with the release store
   */
  public BuildPipeline(
      Path dataDir,
      Sandbox sandbox,
      ReleaseStore releases,
      Frameworks frameworks,
      BuildConfig config,
      OperatorSettings operator) {
    this.builds = dataDir.resolve("builds");
    this.releases = releases;
    this.packer = new Packer(releases);
    this.frameworks = frameworks;
    this.config = config;
    this.tools =
        new StepRunner.Tools(
            sandbox, config, operator, new DownloadCaches(dataDir.resolve("caches")));
    try {
      Files.createDirectories(builds);
    } catch (IOException e) {
      throw new UncheckedIOException("the builds in " + builds + " cannot be opened", e);
    }
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
    requireDisk();
    releases.delete(request.releaseId());
    try (Workspace workspace = new Workspace(directory(request.id()), tools.sandbox());
        TimeLimit limit = new TimeLimit(config.timeout())) {
      return build(request, log, workspace, limit);
    } finally {
      log.flush();
    }
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

  private BuiltRelease build(BuildRequest request, RunLog log, Workspace workspace, TimeLimit limit)
      throws InterruptedException {
    BuildObserver observer = request.observer();
    Timeline timeline = new Timeline(observer, log, config, limit);
    Checkout checkout =
        timeline.step(
            "fetch",
            () -> {
              Checkout fetched = fetch(request, workspace);
              observer.resolved(fetched.commit());
              return fetched;
            });
    log.info("Commit %s: %s".formatted(checkout.commit().sha(), checkout.commit().message()));
    checkout.notes().forEach(log::warning);
    BuildPlan plan =
        timeline.step(
            "plan",
            () -> {
              BuildPlan made = frameworks.plan(checkout, request.overrides());
              observer.detected(made.framework());
              return made;
            });
    log.info("The application is built as " + plan.framework() + ".");
    plan.findings().forEach(finding -> tell(finding, log));
    BuildUser user = tools.caches().user(request.account());
    AppCopy.copy(checkout.root(), workspace.app(), user);
    tools.caches().take(request.account(), workspace.npmCache());
    try {
      runSteps(plan, new StepRunner(tools, workspace, request, log), timeline);
    } finally {
      tools.caches().giveBack(request.account(), workspace.npmCache());
    }
    Packer.Packed packed =
        timeline.step("pack", () -> packer.pack(request.releaseId(), workspace.app(), plan, log));
    Release release = packed.release();
    log.info("The release has %,d files, %,d bytes.".formatted(release.files(), release.bytes()));
    return new BuiltRelease(
        release, checkout.commit(), plan.framework(), packed.serving(), List.of());
  }

  private static Checkout fetch(BuildRequest request, Workspace workspace) {
    String sha = request.source().resolve();
    return workspace.source(sha, directory -> request.source().fetch(sha, directory));
  }

  private static void runSteps(BuildPlan plan, StepRunner runner, Timeline timeline)
      throws InterruptedException {
    List<BuildPlan.Step> steps = new ArrayList<>();
    plan.install().ifPresent(install -> steps.addAll(install.steps()));
    steps.addAll(plan.steps());
    for (BuildPlan.Step step : steps) {
      timeline.step(
          step.name(),
          () -> {
            runner.run(step);
            return Optional.empty();
          });
    }
  }

  private static void tell(BuildPlan.Finding finding, RunLog log) {
    if (finding.warning()) {
      log.warning(finding.sentence());
    } else {
      log.info(finding.sentence());
    }
  }

  private void requireDisk() {
    try {
      long free = Files.getFileStore(builds).getUsableSpace();
      if (free < config.minFreeBytes()) {
        throw new AppFailure(
            FailureCode.DISK_FULL,
            "The disk of the server has %,d MiB left and a build needs %,d MiB (limits.disk_free_min). Delete projects, or give the server a larger disk."
                .formatted(free >> 20, config.minFreeBytes() >> 20));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("asking for free space of " + builds + " failed", e);
    }
  }

  private Path directory(DeploymentId id) {
    return builds.resolve(id.value());
  }
}
