package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Eventually;
import dev.slipway.project.Project;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Previews that were woken go back to sleep. */
class PreviewSleepTest {
  private final Plane plane =
      new Plane(new Plane.Settings(10, 100, false, new PreviewLimits(3, Duration.ofHours(1))));

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void ofMoreThanMayBeAwakeTheOneThatWasUsedLongestAgoSleeps() {
    Project shop = plane.project("shop");
    List<Deployment> replaced = deployments(shop, 4);
    Deployment live = plane.deploy(shop);

    for (Deployment each : replaced) {
      plane.main.wake(each.id()).join();
      plane.main.jobs.runDue();
    }

    assertThat(replaced.stream().map(this::isAwake)).containsExactly(false, true, true, true);
    assertThat(isAwake(live)).isTrue();
    assertThat(plane.main.runtime.running()).hasSize(4);

    plane.main.wake(replaced.getFirst().id()).join();
    plane.main.jobs.runDue();
    assertThat(replaced.stream().map(this::isAwake)).containsExactly(true, false, true, true);
  }

  @Test
  void whatIsPutToSleepIsEndedThoughTheServerIsKilledThen() {
    Project shop = plane.project("shop");
    List<Deployment> replaced = deployments(shop, 4);
    plane.deploy(shop);
    replaced.forEach(each -> plane.main.wake(each.id()).join());

    plane.main.jobs.run(SleepJob.KIND, replaced.getFirst().id().value());

    assertThat(replaced.stream().filter(this::isAwake)).hasSize(3);
    assertThat(plane.main.jobs.waiting(DrainJob.KIND)).hasSize(1);
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).hasSize(4);
  }

  @Test
  void thoseOfAnotherProjectDoNotCount() {
    Project shop = plane.project("shop");
    Project blog = plane.project("blog");
    List<Deployment> ofShop = deployments(shop, 3);
    List<Deployment> ofBlog = deployments(blog, 2);
    ofShop.forEach(each -> plane.main.wake(each.id()).join());
    plane.main.wake(ofBlog.getFirst().id()).join();

    plane.main.jobs.runDue();

    assertThat(isAwake(ofBlog.getFirst())).isTrue();
    assertThat(ofShop).allMatch(this::isAwake);
  }

  @Test
  void oneThatNobodyAsksForSleepsAndIsWokenAgain() {
    try (Plane impatient =
        new Plane(new Plane.Settings(10, 100, false, new PreviewLimits(3, Duration.ofMillis(1))))) {
      Project shop = impatient.project("shop");
      Deployment first = impatient.deploy(shop);
      Deployment live = impatient.deploy(shop);

      for (int i = 0; i < 2; i++) {
        impatient.main.wake(first.id()).join();
        Eventually.holds(
            "it sleeps",
            () -> {
              impatient.clock.advance(Duration.ofSeconds(1));
              impatient.main.jobs.runDue();
              return impatient.main.instances.healthy(first.id()).isEmpty();
            });
        assertThat(impatient.main.instances.healthy(live.id())).hasSize(1);
      }
      assertThat(impatient.main.jobs.waiting(SleepJob.KIND)).isEmpty();
    }
  }

  private List<Deployment> deployments(Project project, int count) {
    List<Deployment> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(plane.deploy(project));
    }
    return all;
  }

  private boolean isAwake(Deployment deployment) {
    return !plane.main.instances.healthy(deployment.id()).isEmpty();
  }
}
