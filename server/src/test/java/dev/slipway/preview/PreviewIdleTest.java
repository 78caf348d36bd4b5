package dev.slipway.preview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Eventually;
import dev.slipway.deployment.Plane;
import dev.slipway.deployment.PreviewLimits;
import dev.slipway.edge.Route;
import dev.slipway.edge.Target;
import dev.slipway.project.Project;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A preview that nobody asks for is stopped, and its next visitor starts it. */
class PreviewIdleTest {
  private final Plane plane =
      new Plane(new Plane.Settings(10, 100, false, new PreviewLimits(3, Duration.ofMillis(1))));
  private final PreviewPlace shop = new PreviewPlace(plane, plane.project("shop"));

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void itSleepsAndWakes() {
    Preview live = shop.live(7);
    Project behind = shop.behind(live);
    Eventually.holds(
        "it sleeps",
        () -> {
          plane.clock.advance(Duration.ofSeconds(1));
          plane.main.jobs.runDue();
          return shop.behind(live).asleep();
        });
    assertThat(route(behind).targets()).isEmpty();
    assertThat(shop.read(live.id()).status()).isEqualTo(PreviewStatus.LIVE);

    Target woken = plane.main.wake(live.newest().orElseThrow().id()).join();

    assertThat(route(behind).targets()).containsExactly(woken);
    assertThat(plane.main.runtime.started()).hasSize(2);
  }

  private Route route(Project behind) {
    return plane.main.route(behind.label()).orElseThrow();
  }
}
