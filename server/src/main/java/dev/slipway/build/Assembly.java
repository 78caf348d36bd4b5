package dev.slipway.build;

import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.release.LayerLease;
import dev.slipway.runlog.RunLog;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From a checkout and its plan to a packed release. For one build. */
final class Assembly {
  /** Steps of this name only take away what a release does not need of the dependencies. */
  private static final String PRUNE = "prune";

  private final Packer packer;
  private final BuildCaches caches;
  private final Workspace workspace;
  private final BuildRequest request;
  private final StepRunner runner;
  private final Timeline timeline;
  private final RunLog log;

  Assembly(
      Packer packer,
      BuildCaches caches,
      Workspace workspace,
      BuildRequest request,
      StepRunner runner,
      Timeline timeline,
      RunLog log) {
    this.packer = packer;
    this.caches = caches;
    this.workspace = workspace;
    this.request = request;
    this.runner = runner;
    this.timeline = timeline;
    this.log = log;
  }

  /**
   * @param key of the plan's install
   */
  Packer.Packed run(BuildPlan plan, Checkout checkout, Optional<DependencyKey> key)
      throws InterruptedException {
    WorkTree tree = workspace.tree(checkout, runner.user());
    try (Dependencies dependencies = new Dependencies(caches.layers(), runner, timeline, log)) {
      Optional<LayerLease> all = Optional.empty();
      Optional<LayerLease> pruned = Optional.empty();
      if (plan.install().isPresent() && key.isPresent()) {
        all = dependencies.install(plan.install().get(), key.get(), tree);
        List<Step> prune = plan.steps().stream().filter(Assembly::isPrune).toList();
        if (all.isPresent() && !prune.isEmpty() && tree.forks()) {
          LayeredTree fork = workspace.fork(checkout, runner.user());
          pruned = dependencies.prune(prune, key.get(), all.get(), fork);
        }
      }
      List<Step> steps = new ArrayList<>(plan.steps());
      if (pruned.isPresent()) {
        steps.removeIf(Assembly::isPrune);
      }
      build(steps, plan.caches(), tree);
      Optional<LayerLease> below =
          tree.forks() ? (pruned.isPresent() ? pruned : all) : Optional.empty();
      return timeline.step("pack", () -> pack(plan, checkout, tree, below));
    }
  }

  private void build(List<Step> steps, List<String> kept, WorkTree tree)
      throws InterruptedException {
    FrameworkCaches frameworks = caches.frameworks();
    for (String cache : kept) {
      frameworks.take(request.project(), tree.written(), cache, runner.user());
    }
    boolean succeeded = false;
    try {
      for (Step step : steps) {
        timeline.step(step.name(), () -> runner.run(step, tree.files()));
      }
      succeeded = true;
    } finally {
      for (String cache : kept) {
        frameworks.giveBack(request.project(), tree.written(), cache, succeeded);
      }
    }
  }

  private Packer.Packed pack(
      BuildPlan plan, Checkout checkout, WorkTree tree, Optional<LayerLease> below) {
    workspace.useUp(checkout.commit().sha());
    return packer.pack(request.releaseId(), tree.finish(), below, plan, log);
  }

  static boolean isPrune(Step step) {
    return step.name().equals(PRUNE);
  }
}
