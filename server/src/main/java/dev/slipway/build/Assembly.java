package dev.slipway.build;

import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.release.LayerLease;
import dev.slipway.runlog.RunLog;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Optional;

/** From a checkout and its plan to a packed release. For one build. */
final class Assembly {
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
      Optional<LayerLease> installed = Optional.empty();
      if (plan.install().isPresent() && key.isPresent()) {
        installed = dependencies.install(plan.install().get(), key.get(), tree);
      }
      build(plan.steps(), plan.caches(), tree);
      Optional<LayerLease> below = installed.filter(_ -> tree.layered());
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
}
