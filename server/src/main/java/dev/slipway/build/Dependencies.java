package dev.slipway.build;

import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.release.LayerLease;
import dev.slipway.release.LayerStore;
import dev.slipway.runlog.RunLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings what an application depends on: from an earlier build where the key is the same, else by
 * its install. For one build; closing it gives back what it holds.
 */
final class Dependencies implements AutoCloseable {
  private final LayerStore layers;
  private final StepRunner runner;
  private final Timeline timeline;
  private final RunLog log;
  private final List<LayerLease> held = new ArrayList<>();

  Dependencies(LayerStore layers, StepRunner runner, Timeline timeline, RunLog log) {
    this.layers = layers;
    this.runner = runner;
    this.timeline = timeline;
    this.log = log;
  }

  /**
   * After this the steps of {@code tree} see the dependencies.
   *
   * @return the layer that they are; empty where they could not be told from the application
   */
  Optional<LayerLease> install(Install install, DependencyKey key, WorkTree tree)
      throws InterruptedException {
    Optional<LayerLease> kept = hold(layers.find(key.text()));
    if (kept.isPresent()) {
      reuse(install, kept.get(), tree);
      return kept;
    }
    List<String> warnings = new ArrayList<>();
    for (Step step : install.steps()) {
      timeline.step(step.name(), () -> runner.run(step, tree.files())).ifPresent(warnings::add);
    }
    Optional<Path> additions = tree.takeAdditions(key.inputs());
    if (additions.isEmpty()) {
      log.info("The install changed files of the repository, so it is run again by each build.");
      return Optional.empty();
    }
    log.info("The dependencies are kept for the builds to come.");
    Optional<LayerLease> made =
        hold(Optional.of(layers.keep(key.text(), additions.get(), warnings)));
    tree.layOn(made.orElseThrow());
    return made;
  }

  private void reuse(Install install, LayerLease kept, WorkTree tree) throws InterruptedException {
    String name = install.steps().stream().map(Step::name).findFirst().orElse("install");
    timeline.step(
        name,
        () -> {
          log.info(
              "The dependencies are those of an earlier build: nothing that decides them has changed.");
          kept.warnings().forEach(log::warning);
          tree.layOn(kept);
          return Optional.empty();
        });
    for (Step step : install.again()) {
      timeline.step(step.name(), () -> runner.run(step, tree.files()));
    }
  }

  private Optional<LayerLease> hold(Optional<LayerLease> lease) {
    lease.ifPresent(held::add);
    return lease;
  }

  @Override
  public void close() {
    held.forEach(LayerLease::close);
  }
}
