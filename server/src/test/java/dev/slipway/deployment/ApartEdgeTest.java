package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Eventually;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.Target;
import dev.slipway.project.Project;
import dev.slipway.project.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What jobs do with an edge that is another process. */
class ApartEdgeTest {
  private final Plane plane =
      new Plane(
          new Plane.Settings(10, 100, false, new PreviewLimits(3, Duration.ofHours(1))), true);
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void whatADeploymentReplacedIsDrainedAndEnded() {
    plane.deploy(shop);
    List<InstanceId> old = List.copyOf(plane.main.runtime.running());

    Deployment next = plane.deploy(shop);

    assertThat(plane.main.runtime.running()).doesNotContainAnyElementsOf(old).hasSize(1);
    awaitRoute(plane.main.instances.healthy(next.id()));
    assertThat(plane.count("edge_drain")).isZero();
  }

  @Test
  void aProjectSleepsAndItsNextRequestStartsIt() {
    Deployment live = plane.deploy(shop);
    sleepAfter(Duration.ofMillis(1));
    Eventually.holds(
        "it sleeps",
        () -> {
          plane.clock.advance(Duration.ofSeconds(1));
          plane.main.jobs.runDue();
          return plane.main.runtime.running().isEmpty();
        });
    awaitRoute(List.of());

    Target woken = plane.main.wake(live.id()).join();

    awaitRoute(List.of(woken.instance()));
  }

  @Test
  void itDoesNotSleepBeforeItsTime() {
    plane.deploy(shop);
    sleepAfter(Duration.ofHours(1));

    plane.clock.advance(Duration.ofDays(1)); // what counts is what the edge has seen
    plane.main.jobs.runDue();

    assertThat(plane.main.runtime.running()).hasSize(1);
  }

  @Test
  void ofMorePreviewsThanMayBeAwakeOneSleeps() {
    List<Deployment> replaced = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      replaced.add(plane.deploy(shop));
    }
    Deployment live = plane.deploy(shop);

    replaced.forEach(each -> plane.main.wake(each.id()).join());
    plane.main.jobs.runDue();

    assertThat(replaced.stream().filter(this::isAwake)).hasSize(3);
    assertThat(isAwake(live)).isTrue();
  }

  private boolean isAwake(Deployment deployment) {
    return !plane.main.instances.healthy(deployment.id()).isEmpty();
  }

  private void awaitRoute(List<InstanceId> instances) {
    Eventually.holds(
        "the edge has the route",
        () ->
            plane.main.route(shop.label()).orElseThrow().targets().stream()
                .map(Target::instance)
                .toList()
                .equals(instances));
  }

  private void sleepAfter(Duration idle) {
    plane.main.projects.change(
        plane.account,
        shop.id(),
        Optional.empty(),
        old ->
            new Settings(
                old.branch(),
                old.instanceType(),
                old.instances(),
                old.autoDeploy(),
                old.previews(),
                old.previewForks(),
                Optional.of(idle),
                old.database(),
                old.overrides()));
  }
}
